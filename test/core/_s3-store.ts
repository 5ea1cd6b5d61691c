// An S3 server with the subset of the API that the product uses.
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Starts a store that rejects requests without a valid signature (AWS Signature Version 4). */
export async function openStore(t: { teardown(work: () => unknown): void }, secret = 'a-secret') {
  const objects = new Map<string, Buffer>();
  const parts = new Map<string, Buffer>();
  const requests: string[] = [];
  const closing = { next: 0 };
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    const body = await buffer(request);
    const at = new URL(url, 'http://store');
    const key = decodeURIComponent(at.pathname);
    requests.push(`${method} ${[...at.searchParams.keys()].join()}`);
    if (closing.next > 0) {
      closing.next--;
      return void request.socket.destroy();
    }
    const answer = (status: number, content: string | Buffer = '', headers = {}) =>
      response.writeHead(status, { 'Content-Type': 'application/xml', ...headers }).end(content);
    if (!isSigned(request, at, secret)) return answer(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>');
    if (method === 'POST' && at.searchParams.has('uploads'))
      return answer(200, '<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>');
    if (method === 'PUT' && at.searchParams.has('partNumber')) {
      parts.set(at.searchParams.get('partNumber') ?? '', body);
      return answer(200, '', { ETag: `"${createHash('md5').update(body).digest('hex')}"` });
    }
    if (method === 'POST') {
      objects.set(key, Buffer.concat([...parts].toSorted(([a], [b]) => Number(a) - Number(b)).map(([, part]) => part)));
      return answer(200, '<CompleteMultipartUploadResult><ETag>"x"</ETag><Key>k</Key></CompleteMultipartUploadResult>');
    }
    if (method === 'PUT') return void (objects.set(key, body), answer(200, '', { ETag: '"x"' }));
    if (method === 'DELETE') return void (objects.delete(key), answer(204));
    if (at.searchParams.has('list-type')) {
      const prefix = `/bucket/${at.searchParams.get('prefix')}`;
      const found = [...objects.keys()].filter((each) => each.startsWith(prefix));
      const contents = found.map(
        (each) =>
          `<Contents><Key>${each.slice(8)}</Key><Size>${objects.get(each)?.length}</Size><LastModified>2026-02-28T00:00:00.000Z</LastModified></Contents>`,
      );
      return answer(200, `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`);
    }
    const object = objects.get(key);
    if (!object) return answer(404, '<Error><Code>NoSuchKey</Code></Error>');
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    if (from === undefined) return answer(200, object);
    return answer(206, object.subarray(Number(from), Number(to) + 1));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.teardown(() => server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket`;
  /** Closes the connections of the next requests without a response. */
  const close = (count: number) => void (closing.next = count);
  return { endpoint, objects, requests, close };
}

function isSigned({ method = '', headers }: IncomingMessage, at: URL, secret: string): boolean {
  const [, scope = '', names = '', signature] =
    /Credential=[^/]+\/([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=(\w+)/.exec(headers.authorization ?? '') ?? [];
  const hex = (value: string) => createHash('sha256').update(value).digest('hex');
  const mac = (key: string | Buffer, value: string) => createHmac('sha256', key).update(value).digest();
  const encode = (value: string) =>
    encodeURIComponent(value).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...at.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&');
  const signed = names
    .split(';')
    .map((name) => `${name}:${String(headers[name]).trim()}\n`)
    .join('');
  const canonical = [method, at.pathname, query, signed, names, headers['x-amz-content-sha256']].join('\n');
  const [date = '', region = '', service = '', end = ''] = scope.split('/');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hex(canonical)].join('\n');
  const key = mac(mac(mac(mac(`AWS4${secret}`, date), region), service), end);
  return signature === mac(key, toSign).toString('hex');
}
