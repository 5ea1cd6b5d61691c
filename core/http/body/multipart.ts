// Reads multipart bodies piece by piece: fields into an object, files one after another into streams.
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BusboyInstance } from '@fastify/busboy';
import { dictionary } from '@keelson/kit/dictionary.ts';
import { invalid, type Problem, tooLarge } from '@keelson/kit/problem.ts';
import type { Koa } from '../request-state.ts';

/** Maximum files per request. */
export const MAX_FILES = 10;
const MAX_FIELDS = 50;
/** Maximum size of a field. */
const FIELD_BYTES = 256 * 1024;
/** Allowance for the fields and the framing, besides the files. */
export const FRAME_BYTES = 512 * 1024;
const HEADERS = { headerPairs: 20, headerSize: 16 * 1024 };

export interface MultipartFile {
  readonly filename: string;
  readonly type: string;
}

export interface MultipartReading {
  /** Maximum bytes of all files together. */
  readonly bytes: number;
  /** Returns the destination of a file. */
  readonly receive: (file: MultipartFile) => Writable;
  /** The error for more than 10 files. */
  readonly tooMany: () => Problem;
}

/**
 * Reads a multipart body. Returns the fields; the last of duplicate names wins.
 * @throws the error of a destination; tooLarge() and invalid() beyond the limits, invalid() for a malformed body
 */
export async function readMultipart(http: Koa, reading: MultipartReading): Promise<unknown> {
  const ending = new AbortController();
  const parser = await parserFor(http, (error) => ending.abort(error));
  const { signal } = ending;
  const parts = collectParts(parser, reading, (error) => ending.abort(error));
  let left = reading.bytes + FRAME_BYTES;
  try {
    // A request destroyed here could not be answered.
    for await (const chunk of http.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      left -= chunk.length;
      if (left < 0) throw tooLarge();
      signal.throwIfAborted();
      if (!parser.write(chunk)) await once(parser, 'drain', { signal });
    }
    const finished = once(parser, 'finish', { signal });
    parser.end();
    await finished;
    await Promise.all(parts.written);
    return dictionary(parts.fields);
  } catch (error) {
    // Drain the rest of the body so that the client receives the response.
    http.req.resume();
    throw signal.aborted ? signal.reason : error;
  } finally {
    parser.destroy();
    // The parser leaves a file that is not complete open, and its destination would wait for the rest.
    for (const file of parts.files) file.destroy();
    await Promise.allSettled(parts.written);
  }
}

/** Loaded on the first upload, because most servers never receive one. */
async function parserFor(http: Koa, fail: (error: unknown) => void): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy');
  const limits = { ...HEADERS, files: MAX_FILES, fields: MAX_FIELDS, fieldSize: FIELD_BYTES };
  try {
    const parser = new Busboy({ headers: { 'content-type': http.get('Content-Type') }, preservePath: true, limits });
    return parser.on('error', () => fail(unreadable()));
  } catch {
    http.req.resume();
    throw unreadable();
  }
}

function collectParts(parser: BusboyInstance, reading: MultipartReading, fail: (error: unknown) => void) {
  const fields: [string, string][] = [];
  const files: Readable[] = [];
  const written: Promise<void>[] = [];
  let bytes = 0;
  parser.on('field', (name, value, _nameTruncated, truncated) => {
    bytes += value.length;
    if (truncated || bytes > FIELD_BYTES) fail(tooLarge());
    fields.push([name, value]);
  });
  parser.on('file', (_name, file, filename, _encoding, type) => {
    // Browsers escape quotes of a name.
    const done = pipeline(file, reading.receive({ filename: (filename ?? '').replaceAll('%22', '"'), type }));
    files.push(file);
    written.push(done);
    done.catch(fail);
  });
  parser.on('filesLimit', () => fail(reading.tooMany()));
  parser.on('fieldsLimit', () => fail(invalid(`At most ${MAX_FIELDS} fields can be sent at once`)));
  return { fields, files, written };
}

const unreadable = () => invalid('The upload could not be read');
