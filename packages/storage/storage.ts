// Where uploaded files are stored: a local folder or an S3-compatible store. Both use the same keys, so that files can
// be copied between them.
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Space } from './reserve.ts';

/** The bytes `from` to `to` of a file, both inclusive. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

export interface KeptFile {
  readonly key: string;
  /** When it was stored, in milliseconds. */
  readonly storedAt: number;
}

/** A file that has arrived completely. */
export interface Arrived {
  readonly path: string;
  readonly size: number;
}

export interface Storage {
  /** The folder for arriving files; those older than a day were left by a crashed process. */
  readonly arrivals: string;
  /** Returns the space of the disk that files arrive on. */
  space(): Promise<Space>;
  /** Stores an arrived file: once this resolves, it survives a power failure. Returns its key. */
  keep(file: Arrived): Promise<string>;
  /** Stores an arrived file from a backup under its former key. */
  keepAs(key: string, file: Arrived): Promise<void>;
  /** Returns the file's bytes, or a range of them. @throws FileMissing */
  open(key: string, range?: ByteRange): Promise<Readable>;
  exists(key: string): Promise<boolean>;
  /** Deletes a file, if it exists. */
  remove(key: string): Promise<void>;
  /** Lists the files whose keys start with this shard: `a7`. */
  list(shard: string): AsyncIterable<KeptFile>;
  /** Reads a short text stored beside the files; undefined if it was never written. */
  readNote(name: string): Promise<string | undefined>;
  writeNote(name: string, text: string): Promise<void>;
}

/** Thrown when an expected file is missing. */
export class FileMissing extends Error {
  constructor(key: string) {
    super(`The file ${key} is not in storage`);
  }
}

/** All shards: the first two characters of the keys. */
export const shards: readonly string[] = Object.freeze(
  Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0')),
);

/** Creates a key: `a7/3f/a73f…`, which is unguessable and says nothing about the file. */
export function newKey(): string {
  const name = randomUUID().replaceAll('-', '');
  return `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
}

/** Whether a text has the form of a key. */
export const isKey = (text: string): boolean => /^([0-9a-f]{2})\/([0-9a-f]{2})\/\1\2[0-9a-f]{28}$/.test(text);
