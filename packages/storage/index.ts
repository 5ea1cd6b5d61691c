// `@keelson/storage`: files of any size, on a disk or in an S3-compatible store.

// Storage: where files are kept.
export { diskStorage, removeFile, undefinedWhenAbsent } from './disk.ts';
export { s3Storage, type S3Options } from './s3.ts';
export { s3Client } from './s3-client.ts';
export { FileMissing, isKey, shards, type ByteRange, type Storage } from './storage.ts';

// Arrival: files while they are received.
export { arrivals, type ArrivalLimit, type ArrivedFile, type Arrivals } from './arrival.ts';
export { leavesReserve } from './reserve.ts';

// Names and types: sanitised file names, and detected types.
export { cleanName, contentDisposition } from './file-name.ts';
export { fileTypeOf } from './file-type.ts';
