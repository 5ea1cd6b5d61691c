// Reads request bodies within limits. JSON is parsed regardless of the declared type.
import { Writable } from 'node:stream';
import { dictionaryOf } from '@keelson/kit/dictionary.ts';
import { parseBody } from '@keelson/kit/json.ts';
import { shareResults } from '@keelson/kit/memoize.ts';
import { invalid, Problem, tooLarge } from '@keelson/kit/problem.ts';
import type { Route, Upload } from '../../plugin/route/route.ts';
import type { Body, Koa } from '../request-state.ts';
import { readMultipart, type MultipartFile } from './multipart.ts';

export const JSON_LIMIT = 1024 * 1024;
/**
 * Limit for JSON on routes that accept files, because counting the punctuation of a larger text delays other requests.
 */
const UPLOAD_JSON_LIMIT = 2 * 1024 * 1024;
const UPLOAD_LIMIT = 10 * 1024 * 1024;

const none: Body = { value: {}, problem: undefined, uploads: [], files: [], parts: [] };

/**
 * Reads what the route accepts: JSON, forms on pages, CSV and multipart for uploads. The body of a
 * POST or PUT is read even if the route declares none: it must be JSON, and it is part of the idempotency key's
 * fingerprint. receive-import.ts and receive-files.ts read those of imports and files.
 */
export async function readRequestBody(http: Koa, route: Route): Promise<Body> {
  if (!route.body && (route.method === 'get' || route.method === 'delete')) return none;
  const refused = refusedEncoding(http);
  if (refused) return refused;
  const type = http.request.type;
  if (route.upload && type === 'multipart/form-data') return readUploads(http, UPLOAD_LIMIT);
  if (route.upload && type === 'text/csv') {
    return fileBody(await readBytes(http, UPLOAD_LIMIT), type);
  }
  if (route.surface.id === 'pages' && type === 'application/x-www-form-urlencoded') return readForm(http);
  const bytes = await readBytes(http, route.upload ? UPLOAD_JSON_LIMIT : JSON_LIMIT);
  return attempt(bytes, () => parseBody(bytes, { array: route.upload === true }));
}

/** Reads the form of a page with koa-body. The last of duplicate names wins, and no name stands for a structure. */
async function readForm(http: Koa): Promise<Body> {
  const read = await formReader();
  await read(http, async () => {});
  const { body, rawBody } = http.request as { readonly body?: object; readonly rawBody?: string };
  return { ...none, value: dictionaryOf(body), parts: [Buffer.from(rawBody ?? '')] };
}

/** Loaded and made when needed: the interfaces take JSON. */
const formReader = shareResults(async () => {
  const { koaBody } = await import('koa-body');
  return koaBody({
    ...{ json: false, text: false, multipart: false },
    ...{ urlencoded: true, formLimit: JSON_LIMIT, includeUnparsed: true },
    queryString: { allowDots: false, depth: 0, duplicates: 'last', parameterLimit: 100 },
    onError: (error, http) => {
      readRest(http as unknown as Koa);
      throw 'status' in error && error.status === 413 ? tooLarge() : invalid('The request body is incomplete');
    },
  });
});

/** Returns a body with the problem of an encoded one, which is not read. */
export function refusedEncoding(http: Koa): Body | undefined {
  const encoding = http.get('Content-Encoding');
  if (encoding && encoding !== 'identity') return { ...none, problem: invalid('Content-Encoding is not supported') };
  return undefined;
}

/** Returns the body of a request that is a file. */
export const fileBody = (bytes: Buffer, type: string): Body => ({
  ...none,
  uploads: [{ filename: '', type, bytes }],
  parts: [bytes],
});

/** Returns true if a cross-site form cannot send the declared type without a preflight. */
export function allowedWithCookie(http: Koa, route: Route): boolean {
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

/** Discards the rest of a refused body: the next request on the connection comes after it. */
function readRest(http: Koa): void {
  http.req.resume();
}

export async function readBytes(http: Koa, limit: number): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunksOf(http, limit)));
}

/** Yields a body as it arrives. @throws tooLarge() beyond the limit, invalid() if the client disconnects */
export async function* chunksOf(http: Koa, limit: number): AsyncGenerator<Buffer, void> {
  if (Number(http.get('Content-Length')) > limit) throw tooLarge();
  let size = 0;
  try {
    // A request destroyed here could not be read to its end.
    for await (const chunk of http.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    // A client disconnect is not a server error.
    if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
      throw invalid('The request body is incomplete');
    throw error;
  } finally {
    readRest(http);
  }
}

/** Reads a multipart body with its files into memory. */
export async function readUploads(http: Koa, bytes: number): Promise<Body> {
  const uploads: Upload[] = [];
  const room = { bytes };
  const value = await readMultipart(http, {
    bytes,
    receive: (file) => memoryFile(uploads, file, room),
    tooMany: tooLarge,
  });
  return uploadsBody(value, uploads);
}

/** Returns a body of fields and files. */
export function uploadsBody(value: unknown, uploads: readonly Upload[]): Body {
  // Lengths mark where each upload ends, so that different requests have different fingerprints.
  const outline = JSON.stringify([value, ...uploads.map((each) => each.bytes.length)]);
  return { ...none, value, uploads, parts: [Buffer.from(outline), ...uploads.map((each) => each.bytes)] };
}

/** Reads a JSON body within the default limit. */
export async function readJsonBody(http: Koa): Promise<Body> {
  const bytes = await readBytes(http, JSON_LIMIT);
  return attempt(bytes, () => parseBody(bytes));
}

/** @param room what the request's files may still take */
function memoryFile(into: Upload[], { filename, type }: MultipartFile, room: { bytes: number }): Writable {
  const chunks: Buffer[] = [];
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      room.bytes -= chunk.length;
      done(room.bytes < 0 ? tooLarge() : null);
    },
    final(done) {
      into.push({ filename, type, bytes: Buffer.concat(chunks) });
      done();
    },
  });
}
