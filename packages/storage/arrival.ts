// Receives an uploaded file: writes it to a temporary file while counting and hashing, and never holds it in memory.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { removeFile } from './disk.ts';

/** A file that has arrived completely, but is not stored yet. */
export interface ArrivedFile {
  /** The temporary file. */
  readonly path: string;
  /** The name given by the sender. */
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  /** Its first bytes, for type detection. */
  readonly head: Buffer;
}

const HEAD_BYTES = 4100;

/** The files of one request. */
export interface Arrivals {
  /** Returns a stream to write a file into; it fails when the file exceeds the limit. */
  receive(name: string): Writable;
  /** Returns the complete files, once nothing is being written. @throws the error that kept one from being written */
  settled(): Promise<readonly ArrivedFile[]>;
  /** Stops writing unfinished files. */
  abort(reason: Error): void;
  /** Deletes the temporary files that were not stored. */
  discard(): Promise<void>;
}

export interface ArrivalLimit {
  /** Maximum bytes per file. */
  readonly bytes: number;
  readonly refusal: () => Error;
}

/** Receives files into a folder, which is created if needed. */
export function arrivals(
  folder: string,
  limit: ArrivalLimit = { bytes: Infinity, refusal: () => new Error('The file is too large') },
): Arrivals {
  const open: Arrival[] = [];
  return {
    receive(name) {
      const arrival = new Arrival(folder, name, limit);
      open.push(arrival);
      return arrival;
    },
    async settled() {
      for (const each of open) {
        await each.gone;
        if (each.failure) throw each.failure;
      }
      // In the order they were sent, regardless of which was written first.
      return open.flatMap(({ file }) => file ?? []);
    },
    abort: (reason) => open.forEach((each) => each.destroy(reason)),
    async discard() {
      for (const each of open) each.destroy();
      await Promise.all(open.map((each) => each.gone));
      await Promise.all(open.map(({ path }) => removeFile(path)));
    },
  };
}

class Arrival extends Writable {
  readonly path: string;
  /** Resolves when its handle is closed. */
  readonly gone: Promise<void>;
  failure: Error | undefined;
  /** The file, once complete. */
  file: ArrivedFile | undefined;
  private readonly folder: string;
  private readonly original: string;
  private readonly limit: ArrivalLimit;
  private readonly hash = createHash('sha256');
  private size = 0;
  private head = Buffer.alloc(0);
  private handle: FileHandle | undefined;

  constructor(folder: string, name: string, limit: ArrivalLimit) {
    super();
    this.path = join(folder, randomUUID());
    this.folder = folder;
    this.original = name;
    this.limit = limit;
    this.gone = new Promise((resolve) => this.once('close', resolve));
    // The writer receives errors through its write; without a listener, an error event would end the process.
    this.on('error', (error) => (this.failure = error));
  }

  override _construct(done: (error?: Error | null) => void): void {
    this.openFile().then(() => done(), done);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.store(chunk).then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    const { path, original: name, size, head } = this;
    this.file = { path, name, size, head, sha256: this.hash.digest('hex') };
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const { handle } = this;
    if (!handle) return done(error);
    handle.close().then(() => done(error), done);
  }

  private async openFile(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    this.handle = await open(this.path, 'wx', 0o600);
  }

  private async store(chunk: Buffer): Promise<void> {
    this.size += chunk.length;
    if (this.size > this.limit.bytes) throw this.limit.refusal();
    if (this.head.length < HEAD_BYTES)
      this.head = Buffer.concat([this.head, chunk.subarray(0, HEAD_BYTES - this.head.length)]);
    this.hash.update(chunk);
    for (let at = 0; at < chunk.length;) {
      const { bytesWritten = 0 } = (await this.handle?.write(chunk, at)) ?? {};
      at += bytesWritten;
    }
  }
}
