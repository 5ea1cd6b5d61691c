// A file on its way in: written to a temporary file while it is counted and hashed, never held in memory.
import { createHash } from 'node:crypto';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { tooLarge, type Problem } from '../kit/problem.ts';
import { uuid } from '../kit/random.ts';
import { removeFile } from './disk.ts';

/** A file that has arrived whole, but is not stored yet. */
export interface ArrivedFile {
  /** The temporary file. */
  readonly path: string;
  /** As the sender named it. */
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  /** Its first bytes, from which its type is found. */
  readonly head: Buffer;
}

const HEAD_BYTES = 4100;

/** The files of one request. */
export interface Arrivals {
  /** A stream to write a file into; it fails when the file is longer than the limit. */
  receive(name: string): Writable;
  /** Those that came whole, once nothing is being written any more. @throws what kept one from being written */
  settled(): Promise<readonly ArrivedFile[]>;
  /** Stops what is still being written. */
  abort(reason: Error): void;
  /** Deletes the temporary files that nobody has stored. */
  discard(): Promise<void>;
}

export interface ArrivalLimit {
  /** Bytes of one file. */
  readonly bytes: number;
  readonly refusal: () => Problem;
}

/** Receives files into a folder, which is made when it is not there. */
export function arrivals(
  folder: string,
  limit: ArrivalLimit = { bytes: Infinity, refusal: () => tooLarge() },
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
      // In the order in which they were sent, whichever was written first.
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
  /** What arrived, once it is complete. */
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
    this.path = join(folder, uuid());
    this.folder = folder;
    this.original = name;
    this.limit = limit;
    this.gone = new Promise((resolve) => this.once('close', resolve));
    // Who writes into it hears of errors through the write; without a listener one would end the process.
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
