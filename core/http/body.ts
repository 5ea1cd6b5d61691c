// Reads request bodies within limits. JSON is read whatever the declared type. koa-body reads uploads only: it
// chooses the parser by the declared type and accepts forms and unknown charsets (ME-12).
import { Writable } from 'node:stream';
import { dictionary } from '../kit/dictionary.ts';
import { parseBody } from './json.ts';
import type { Koa, Routed } from './request-state.ts';
import { invalid, Problem, tooLarge } from '../kit/problem.ts';
import type { Route, Upload } from '../plugin/route.ts';
import type { ArrivedFile } from '../storage/arrival.ts';

const JSON_LIMIT = 1024 * 1024;
const UPLOAD_LIMIT = 10 * 1024 * 1024;
const IMPORT_LIMIT = 32 * 1024 * 1024;
/** Files of one request. */
export const MAX_FILES = 10;

export interface Body {
  /** The parsed value; undefined with a `problem`, which is reported after the record was found. */
  readonly value: unknown;
  readonly problem: Problem | undefined;
  readonly uploads: readonly Upload[];
  /** Files that went to the disk (receive-files.ts). */
  readonly files: readonly ArrivedFile[];
  /** The bytes that were sent, for the fingerprint of an idempotency key. */
  readonly parts: readonly Buffer[];
}

const none: Body = { value: {}, problem: undefined, uploads: [], files: [], parts: [] };

/**
 * Reads what the route accepts: JSON, a form on pages, CSV and multipart for uploads. The body of a POST
 * or PUT that needs none is read too: it must be JSON all the same, and is part of the idempotency key's fingerprint.
 */
export async function readRequestBody(http: Koa | Routed, route: Route): Promise<Body> {
  if (!route.body && (route.method === 'get' || route.method === 'delete')) return none;
  const encoding = http.get('Content-Encoding');
  if (encoding && encoding !== 'identity') return { ...none, problem: invalid('Content-Encoding is not supported') };
  const type = http.request.type;
  if (route.upload === 'import') return readImportBody(http);
  if (route.upload && type === 'multipart/form-data') return readMultipart(http, UPLOAD_LIMIT);
  const bytes = await readBytes(http, route.upload ? UPLOAD_LIMIT : JSON_LIMIT);
  if (route.upload && type === 'text/csv') return { ...none, uploads: [{ filename: '', type, bytes }], parts: [bytes] };
  const form = route.surface.id === 'pages' && type === 'application/x-www-form-urlencoded';
  return attempt(bytes, () =>
    form ? dictionary(new URLSearchParams(bytes.toString('utf8'))) : parseBody(bytes, { array: route.upload === true }),
  );
}

/** The body of an import, unparsed; core/files/import-file.ts reads it in slices. */
async function readImportBody(http: Koa | Routed): Promise<Body> {
  try {
    if (http.request.type === 'multipart/form-data') return await readMultipart(http, IMPORT_LIMIT);
    const bytes = await readBytes(http, IMPORT_LIMIT);
    const type = http.request.type === 'text/csv' ? 'text/csv' : 'application/json';
    return { ...none, uploads: [{ filename: '', type, bytes }], parts: [bytes] };
  } catch (error) {
    // Faults of a file are bad requests.
    if (error instanceof Problem && error.kind === 'too-large') throw invalid('The file must be at most 32 MiB');
    throw error;
  }
}

/** Whether the declared type is one that a cross-site form cannot send without a preflight. */
export function allowedWithCookie(http: Koa | Routed, route: Route): boolean {
  const type = http.request.type;
  if (type === '' || type === 'application/json') return true;
  if (route.surface.id === 'pages') return type === 'application/x-www-form-urlencoded';
  return route.upload !== false && (type === 'multipart/form-data' || type === 'text/csv');
}

function attempt(bytes: Buffer, read: () => unknown): Body {
  try {
    return { ...none, value: read(), parts: [bytes] };
  } catch (error) {
    if (error instanceof Problem) return { ...none, problem: error, parts: [bytes] };
    throw error;
  }
}

async function readBytes(http: Koa | Routed, limit: number): Promise<Buffer> {
  if (Number(http.get('Content-Length')) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of http.req as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    // A caller that leaves is no error of the server.
    if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
      throw invalid('The request was cut off');
    throw error;
  }
  return Buffer.concat(chunks);
}

async function readMultipart(http: Koa | Routed, limit: number): Promise<Body> {
  const uploads: Upload[] = [];
  const value = await readMultipartInto(http, {
    options: { maxFileSize: limit, maxTotalFileSize: limit },
    receive: (file) => memoryFile(uploads, file),
    refused: ({ httpCode }) => (httpCode === 413 ? tooLarge() : invalid('The upload could not be read')),
  });
  // The lengths mark where each upload ends, so that different requests have different fingerprints.
  const outline = JSON.stringify([value, ...uploads.map((each) => each.bytes.length)]);
  return { ...none, value, uploads, parts: [Buffer.from(outline), ...uploads.map((each) => each.bytes)] };
}

interface MultipartFile {
  readonly originalFilename: string | null;
  readonly mimetype: string | null;
}

interface MultipartReading {
  readonly options: { readonly maxFileSize: number; readonly maxTotalFileSize: number };
  /** Where a file goes. */
  readonly receive: (file: MultipartFile) => Writable;
  /** The error that the caller gets. */
  readonly refused: (error: Error & { httpCode?: number; code?: unknown }) => Error;
}

/** Reads a multipart body: files go where `receive` says, one piece after the other; answers the fields. */
export async function readMultipartInto(
  http: Koa | Routed,
  { options, receive, refused }: MultipartReading,
): Promise<unknown> {
  // Loaded with the first upload, because most servers never get one.
  const { koaBody } = await import('koa-body');
  const read = koaBody({
    multipart: true,
    json: false,
    text: false,
    urlencoded: false,
    formidable: {
      ...options,
      maxFiles: MAX_FILES,
      maxFields: 50,
      maxFieldsSize: 256 * 1024,
      allowEmptyFiles: true,
      minFileSize: 0,
      fileWriteStreamHandler: (file) => receive(file as never),
    },
    onError: (error) => {
      // What is left of the body is read and dropped, so that the caller gets the answer.
      http.req.resume();
      throw refused(error);
    },
  });
  await read(http, async () => undefined);
  return (http.request as { body?: unknown }).body ?? {};
}

/** A JSON body of the usual size. */
export async function readJsonBody(http: Koa | Routed): Promise<Body> {
  const bytes = await readBytes(http, JSON_LIMIT);
  return attempt(bytes, () => parseBody(bytes));
}

function memoryFile(into: Upload[], file: MultipartFile): Writable {
  const chunks: Buffer[] = [];
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
    final(done) {
      into.push({
        filename: file.originalFilename ?? '',
        type: file.mimetype ?? 'application/octet-stream',
        bytes: Buffer.concat(chunks),
      });
      done();
    },
  });
}
