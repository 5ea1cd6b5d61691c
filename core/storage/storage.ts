// Where uploaded files are kept: a folder of this machine, or a store that speaks S3. Both use the same keys, so that files
// can be copied from one to the other.
import type { Readable } from 'node:stream';
import type { Space } from './reserve.ts';
import { uuid } from '../kit/random.ts';

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

/** A file that has arrived as a whole. */
export interface Arrived {
  readonly path: string;
  readonly size: number;
}

export interface Storage {
  /** The folder in which files arrive; what stays there for a day was left by a process that died. */
  readonly arrivals: string;
  /** The space of the disk in which they arrive. */
  space(): Promise<Space>;
  /** Stores an arrived file for good: when this resolves it survives a power cut. Answers its key. */
  keep(file: Arrived): Promise<string>;
  /** The same under a key that the file had before: of a backup. */
  keepAs(key: string, file: Arrived): Promise<void>;
  /** The file's bytes, or some of them. @throws FileMissing */
  open(key: string, range?: ByteRange): Promise<Readable>;
  exists(key: string): Promise<boolean>;
  /** Deletes a file; one that is not there is fine. */
  remove(key: string): Promise<void>;
  /** The files whose keys begin with this shard: `a7`. */
  list(shard: string): AsyncIterable<KeptFile>;
  /** A short text that is kept beside the files; undefined when it was never written. */
  readNote(name: string): Promise<string | undefined>;
  writeNote(name: string, text: string): Promise<void>;
}

/** A file that should be there is not. */
export class FileMissing extends Error {
  constructor(key: string) {
    super(`The file ${key} is not in the storage`);
  }
}

/** All shards: the first two letters of the keys. */
export const shards: readonly string[] = Object.freeze(
  Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0')),
);

/** A new key: `a7/3f/a73f…`, which nobody can guess and which says nothing about the file. */
export function newKey(): string {
  const name = uuid().replaceAll('-', '');
  return `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
}

/** Whether a text is a key that `newKey` made. */
export const isKey = (text: string): boolean => /^([0-9a-f]{2})\/([0-9a-f]{2})\/\1\2[0-9a-f]{28}$/.test(text);
