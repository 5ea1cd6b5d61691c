// The contents of a backup: compressed frames. Rows are JSON, so that a backup of one kind of database can be restored
// into the other.
import { Readable } from 'node:stream';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { BadBackup, taker } from './container.ts';

const kinds = ['table', 'rows', 'file', 'bytes', 'manifest'] as const;
type Kind = (typeof kinds)[number];

/** `table` and `file` start one, and its `rows` or `bytes` follow; the `manifest` is the last. */
export interface Frame {
  readonly kind: Kind;
  readonly body: Buffer;
}

const HEAD_BYTES = 5;
const LARGEST = 256 * 1024 * 1024;

export const frame = (kind: Kind, value: unknown): Frame => ({ kind, body: Buffer.from(JSON.stringify(value)) });

/** Compresses frames to bytes. */
export function packed(frames: AsyncIterable<Frame>): AsyncIterable<Buffer> {
  const source = Readable.from(bytesOf(frames), { objectMode: false });
  const packing = createZstdCompress();
  source.on('error', (error) => packing.destroy(error));
  return source.pipe(packing);
}

async function* bytesOf(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  for await (const { kind, body } of frames) {
    const head = Buffer.alloc(HEAD_BYTES);
    head[0] = kinds.indexOf(kind);
    head.writeUInt32BE(body.length, 1);
    yield head;
    // An empty chunk would end the stream.
    if (body.length > 0) yield body;
  }
}

/** Decompresses bytes to frames. @throws BadBackup for invalid bytes */
export async function* unpacked(bytes: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  const source = Readable.from(bytes, { objectMode: false });
  const unpacking = createZstdDecompress();
  source.on('error', (error) => unpacking.destroy(error));
  const take = taker(source.pipe(unpacking));
  try {
    for (;;) {
      const head = await take(HEAD_BYTES);
      if (!head) return;
      const kind = kinds[head[0] ?? -1];
      const length = head.readUInt32BE(1);
      const body = kind && length <= LARGEST ? await take(length) : undefined;
      if (!kind || !body) throw new BadBackup('The backup is damaged');
      yield { kind, body };
    }
  } finally {
    source.destroy();
    unpacking.destroy();
  }
}
