// File uploads: streamed to temporary files, within limits on size, number and time, never held in memory.
import { invalid, Problem, tooLarge, tooMany, unavailable } from '@keelson/kit/problem.ts';
import { TimeoutError, withTimeout } from '@keelson/kit/timeout.ts';
import { leavesReserve, arrivals, type ArrivalLimit, type ArrivedFile, type Arrivals } from '@keelson/storage';
import { AttachmentLimits, sizeInWords } from '../../attachments/attachment.ts';
import type { App } from '../../plugin/app.ts';
import { perApp } from '../../plugin/per-app.ts';
import type { Body, Koa } from '../request-state.ts';
import { readJsonBody } from './body.ts';
import { FRAME_BYTES, MAX_FILES, readMultipart } from './multipart.ts';

/** Concurrent uploads per caller, per company or key, and per process. */
const OF_ONE = 4;
const OF_OWNER = 32;
const OF_ALL = 64;
const RETRY_SECONDS = 2;

/** Bytes that running uploads may still write. */
const expectedBytes = perApp(() => ({ bytes: 0 }));

/** Who an upload counts towards. */
export interface Uploader {
  readonly caller: string;
  /** The company of an employee, otherwise the key or technician. */
  readonly owner: string;
}

const running = perApp(() => new Set<Uploader>());

/**
 * Runs an upload. No owner takes more than half of the slots, however many people it has.
 * @throws tooMany() when too many are running
 */
export async function inUploadTurn<R>(app: App, uploader: Uploader, work: () => Promise<R>): Promise<R> {
  const all = running(app);
  const count = (name: keyof Uploader) => [...all].filter((each) => each[name] === uploader[name]).length;
  if (count('caller') >= OF_ONE || count('owner') >= OF_OWNER || all.size >= OF_ALL)
    throw tooMany(RETRY_SECONDS, 'Too many uploads at once');
  const turn = { ...uploader };
  all.add(turn);
  try {
    return await work();
  } finally {
    all.delete(turn);
  }
}

/**
 * Receives a request's files, runs `work` with them, and deletes those it did not store.
 * @throws tooLarge(), invalid() naming the limit; unavailable() when the disk is full
 */
export async function withFiles<R>(app: App, http: Koa, work: (body: Body) => Promise<R>): Promise<R> {
  const limits = await app.settings.get(app.system(), AttachmentLimits);
  const refusal = () => tooLarge(`The file must be at most ${sizeInWords(limits.file_bytes)}`);
  if (Number(http.get('Content-Length')) > limits.file_bytes * MAX_FILES + FRAME_BYTES) throw refusal();
  const limit = { bytes: limits.file_bytes, refusal };
  return withArrivals(app, http, { limit, receive: (arriving) => receiveInTime(http, arriving, limits), work });
}

export interface Receiving<Received, R> {
  readonly limit: ArrivalLimit;
  readonly receive: (arriving: Arrivals) => Promise<Received>;
  readonly work: (received: Received) => Promise<R>;
}

/**
 * Receives a request's files if there is room for them, runs `work` with the result, and deletes those it did not store.
 * @throws unavailable() when the disk is full
 */
export async function withArrivals<Received, R>(
  app: App,
  http: Koa,
  { limit, receive, work }: Receiving<Received, R>,
): Promise<R> {
  const arriving = arrivals(app.storage.arrivals, limit);
  // Without a length, assume the size of one file.
  const expected = Number(http.get('Content-Length')) || limit.bytes;
  const coming = expectedBytes(app);
  if (!leavesReserve(await app.storage.space(), coming.bytes + expected)) throw full();
  coming.bytes += expected;
  try {
    return await work(await receive(arriving).finally(() => (coming.bytes -= expected)));
  } catch (error) {
    throw error instanceof Error && isFull(error) ? full() : error;
  } finally {
    await arriving
      .discard()
      .catch((error: unknown) => app.log.warn({ err: error }, 'an uploaded temporary file could not be deleted'));
  }
}

interface ReceivingLimits {
  readonly upload_seconds: number;
  readonly file_bytes: number;
}

async function receiveInTime(http: Koa, arriving: Arrivals, limits: ReceivingLimits): Promise<Body> {
  const { upload_seconds: seconds, file_bytes } = limits;
  try {
    return await withTimeout(seconds, () => receive(http, arriving, file_bytes), 'late');
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    const late = invalid(`The upload must not take longer than ${seconds} seconds`);
    arriving.abort(late);
    // Do not wait for the rest of the body.
    http.set('Connection', 'close');
    throw late;
  }
}

async function receive(http: Koa, arriving: Arrivals, bytes: number): Promise<Body> {
  if (http.request.type !== 'multipart/form-data') return receiveJson(http, arriving);
  const value = await readMultipart(http, {
    bytes: bytes * MAX_FILES,
    receive: ({ filename }) => arriving.receive(filename),
    tooMany: () => tooLarge(`At most ${MAX_FILES} files can be uploaded at once`),
  }).catch((error: Error) => {
    throw refusalOf(error);
  });
  return bodyOf(value, await arrived(arriving));
}

/** Receives the JSON form of an upload: `{ filename, content_base64 }`, within the JSON body limit (N-27, PR-03). */
async function receiveJson(http: Koa, arriving: Arrivals): Promise<Body> {
  const read = await readJsonBody(http);
  if (read.problem) return read;
  const { filename, content_base64: content, ...value } = Object(read.value) as Record<string, unknown>;
  if (content === undefined) return bodyOf(value, []);
  if (typeof filename !== 'string' || filename === '') throw invalid('filename is required');
  if (typeof content !== 'string' || !isBase64(content)) throw invalid('content_base64 must be base64');
  arriving.receive(filename).end(Buffer.from(content, 'base64'));
  return bodyOf(value, await arrived(arriving));
}

function arrived(arriving: Arrivals): Promise<readonly ArrivedFile[]> {
  return arriving.settled().catch((error: Error) => {
    throw refusalOf(error);
  });
}

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

function bodyOf(value: unknown, files: readonly ArrivedFile[]): Body {
  // The idempotency fingerprint uses the files' hashes in place of their bytes.
  const outline = JSON.stringify([value, files.map(({ name, sha256 }) => [name, sha256])]);
  return { value, problem: undefined, uploads: [], files, parts: [Buffer.from(outline)] };
}

const full = () => unavailable('There is not enough disk space for uploads');
const isFull = (error: Error): boolean => 'code' in error && FULL.has(String(error.code));
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Returns the refusal of a body that cannot be received, or the error of the server. */
export function refusalOf(error: Error & { code?: unknown }): Error {
  if (error instanceof Problem) return error;
  if (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
    return invalid('The upload is incomplete');
  if (typeof error.code === 'string') return error;
  return invalid('The upload could not be read');
}
