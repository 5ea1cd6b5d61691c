// A push service with one browser: it checks who sends and decrypts, as browsers do (RFC 8291, RFC 8292).
import { createECDH, createPublicKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import ece from 'http_ece';
import jwt from 'jsonwebtoken';

export interface Pushed {
  readonly content: { readonly title: string; readonly body: string; readonly tag: string; readonly path: string };
  readonly urgency: string | undefined;
  readonly ttl: number;
  readonly subject: string;
}

export async function startPushService(t: { teardown(work: () => unknown): void }) {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const auth = randomBytes(16);
  const pushed: Pushed[] = [];
  let status = 201;
  // Connections stay open: closing an idle one could meet its next use.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (status !== 201) return response.writeHead(status).end();
    const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const { sub, aud } = jwt.verify(token, publicKey(key), { algorithms: ['ES256'] }) as jwt.JwtPayload;
    if (aud !== origin()) return response.writeHead(403).end();
    const text: Buffer = ece.decrypt(Buffer.concat(chunks), {
      version: 'aes128gcm',
      privateKey: browser,
      authSecret: auth.toString('base64url'),
    });
    pushed.push({
      content: JSON.parse(text.toString('utf8')),
      urgency: request.headers['urgency'] as string | undefined,
      ttl: Number(request.headers['ttl']),
      subject: sub ?? '',
    });
    return response.writeHead(201).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const subscription = (device: string) => ({
    endpoint: `${origin()}/push/${device}`,
    p256dh: browser.getPublicKey('base64url'),
    auth: auth.toString('base64url'),
    device,
  });
  return { pushed, subscription, answer: (next: number) => void (status = next) };
}

function publicKey(key: string) {
  const point = Buffer.from(key, 'base64url');
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) } });
}
