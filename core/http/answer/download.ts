// Stored files as responses: whole or a single byte range (RFC 9110), never rendered as a page of our origin.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { invalid } from '@keelson/kit/problem.ts';
import { contentDisposition, type ByteRange } from '@keelson/storage';
import type { StoredAnswer } from '../../plugin/route/returns.ts';
import type { Http } from '../../plugin/route/route.ts';
import type { Surface } from '../../plugin/route/surface.ts';
import type { Rendered } from '../request-state.ts';
import { json, namesTag } from './answer.ts';

/** Responds with a stored file. The file is opened only to send its bytes. */
export async function download(
  file: StoredAnswer,
  method: string,
  http: Http,
  surface: Surface<any>,
): Promise<Rendered> {
  const etag = `"${file.sha256}"`;
  const headers = {
    'Content-Disposition': contentDisposition(file.name),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': 'private, no-cache',
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'Last-Modified': new Date(file.modified).toUTCString(),
  };
  if (namesTag(http.header('if-none-match'), etag)) return { status: 304, type: '', body: undefined, headers };
  const range = rangeOf(http, file.size, etag);
  if (range === 'none') {
    const { body } = surface.problem(invalid('The range is outside the file'));
    return { ...json(416, body), headers: { 'Content-Range': `bytes */${file.size}` } };
  }
  const length = range ? range.to - range.from + 1 : file.size;
  const sized = { ...headers, 'Content-Length': String(length), 'Content-Type': file.type };
  const partial = range && { ...sized, 'Content-Range': `bytes ${range.from}-${range.to}/${file.size}` };
  const status = range ? 206 : 200;
  if (method === 'HEAD') return { status, type: file.type, body: undefined, headers: partial ?? sized };
  const bytes = await file.open(range);
  const body = range ? bytes : Readable.from(verified(bytes, file.sha256), { objectMode: false });
  return { status, type: file.type, body, headers: partial ?? sized };
}

/** Parses a single range. Undefined means the whole file, also for multiple ranges; `none` is unsatisfiable. */
function rangeOf(http: Http, size: number, etag: string): ByteRange | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(http.header('range')?.trim() ?? '') ?? [];
  const since = http.header('if-range');
  if ((first === '' && last === '') || (since !== undefined && since !== etag)) return undefined;
  if (first === '')
    return Number(last) === 0 || size === 0 ? 'none' : { from: Math.max(0, size - Number(last)), to: size - 1 };
  const from = Number(first);
  if (last !== '' && Number(last) < from) return undefined;
  if (from >= size) return 'none';
  return { from, to: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** Holds back the last chunk until the hash matches, so that a damaged file never arrives complete. */
async function* verified(bytes: Readable, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let held: Buffer | undefined;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    if (held) yield held;
    hash.update(chunk);
    held = chunk;
  }
  if (hash.digest('hex') !== sha256) throw new Error('A stored file has changed: its hash does not match');
  if (held) yield held;
}
