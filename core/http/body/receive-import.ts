// Imports: the body is received before the import has its turn, a large one on disk, so that a slow sender holds nothing
// that others need. It is not parsed here: core/files/import-file.ts does so in slices.
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { invalid, Problem, tooLarge } from '@keelson/kit/problem.ts';
import type { Arrivals } from '@keelson/storage';
import type { App } from '../../plugin/app.ts';
import { perApp } from '../../plugin/per-app.ts';
import type { Body, Koa } from '../request-state.ts';
import { chunksOf, fileBody, JSON_LIMIT, readBytes, readUploads, refusedEncoding, uploadsBody } from './body.ts';
import { FRAME_BYTES, readMultipart } from './multipart.ts';
import { refusalOf, withArrivals } from './receive-files.ts';

const IMPORT_LIMIT = 32 * 1024 * 1024;
/** Bodies up to this size are held in memory, as on other routes, while they take no more than this together. */
const IN_MEMORY = { one: JSON_LIMIT, all: 32 * 1024 * 1024 } as const;

const heldBytes = perApp(() => ({ bytes: 0 }));

/** Returns a body that has arrived. Reads a large one into memory. */
export type ReadBody = () => Promise<Body>;

/** Receives the body of an import and runs `work` with it. @throws invalid() when it is larger than 32 MiB */
export async function withImport<R>(app: App, http: Koa, work: (read: ReadBody) => Promise<R>): Promise<R> {
  const refused = refusedEncoding(http);
  if (refused) return work(async () => refused);
  if (Number(http.get('Content-Length')) > IMPORT_LIMIT + FRAME_BYTES) throw tooLong();
  const held = heldBytes(app);
  // A body without a declared length may be large.
  const length = Number(http.get('Content-Length') || Infinity);
  if (length > IN_MEMORY.one || held.bytes + length > IN_MEMORY.all) {
    const limit = { bytes: IMPORT_LIMIT, refusal: () => tooLarge() };
    return withArrivals(app, http, { limit, receive: (arriving) => toDisk(http, arriving).catch(refuse), work });
  }
  held.bytes += length;
  try {
    const body = await inMemory(http).catch(refuse);
    return await work(async () => body);
  } finally {
    held.bytes -= length;
  }
}

async function inMemory(http: Koa): Promise<Body> {
  if (isMultipart(http)) return readUploads(http, IMPORT_LIMIT);
  return fileBody(await readBytes(http, IMPORT_LIMIT), typeOf(http));
}

async function toDisk(http: Koa, arriving: Arrivals): Promise<ReadBody> {
  if (!isMultipart(http)) {
    await pipeline(chunksOf(http, IMPORT_LIMIT), arriving.receive(''));
    return async () => {
      const [file] = await arriving.settled();
      return fileBody(file ? await readFile(file.path) : Buffer.alloc(0), typeOf(http));
    };
  }
  const types: string[] = [];
  const receive = ({ filename, type }: { readonly filename: string; readonly type: string }) => {
    types.push(type);
    return arriving.receive(filename);
  };
  const value = await readMultipart(http, { bytes: IMPORT_LIMIT, receive, tooMany: tooLarge });
  return async () => {
    const files = await arriving.settled();
    const read = files.map(async ({ name: filename, path }, n) => ({
      ...{ filename, type: types[n] ?? '', bytes: await readFile(path) },
    }));
    return uploadsBody(value, await Promise.all(read));
  };
}

const isMultipart = (http: Koa): boolean => http.request.type === 'multipart/form-data';
const typeOf = (http: Koa): string => (http.request.type === 'text/csv' ? 'text/csv' : 'application/json');

const tooLong = () => invalid('The file must be at most 32 MiB');

/** Faults in an import file are 400s. */
function refuse(error: Error): never {
  if (error instanceof Problem && error.kind === 'too-large') throw tooLong();
  throw refusalOf(error);
}
