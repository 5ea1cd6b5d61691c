// A real SMTP server on loopback, whose responses a test controls.
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { SMTPServer } from 'smtp-server';
import type { Certificate } from './_certificate.ts';
import { freePort } from './faults/_node.ts';

export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as received. */
  readonly raw: string;
  /** Returns a header by its lower-case name, unfolded; undefined when absent. */
  header(name: string): string | undefined;
  /** Decoded parts by media type. */
  readonly parts: Readonly<Record<string, string>>;
}

export interface MailServer {
  readonly url: string;
  readonly received: readonly Received[];
  /** Rejects the next messages with a code such as 451 or 550; undefined accepts them. */
  refuse(code: number | undefined): void;
  /** The same for their sender. */
  refuseSender(code: number | undefined): void;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a server that stops with the test. */
export async function startMailServer(
  t: { teardown(work: () => Promise<void>): void },
  options: {
    user?: string;
    password?: string;
    accepts?: (user: string, token: string) => boolean;
    /** Offers STARTTLS. */
    certificate?: Certificate;
    /** Expects TLS from the first byte. */
    secure?: boolean;
  } = {},
) {
  const received: Received[] = [];
  let refusal: number | undefined;
  let senderRefusal: number | undefined;
  const port = await freePort();
  let server: SMTPServer | undefined;
  const hasUsers = Boolean(options.user ?? options.accepts);
  const make = () =>
    new SMTPServer({
      disabledCommands: [...(hasUsers ? [] : ['AUTH']), ...(options.certificate ? [] : ['STARTTLS'])],
      authOptional: !hasUsers,
      ...(options.accepts && { authMethods: ['XOAUTH2'] }),
      allowInsecureAuth: true,
      ...options.certificate,
      secure: options.secure ?? false,
      onAuth: ({ username, password, accessToken }, _, done) =>
        (
          accessToken
            ? options.accepts?.(username ?? '', accessToken)
            : username === options.user && password === options.password
        )
          ? done(null, { user: username })
          : done(Object.assign(new Error('Wrong password'), { responseCode: 535 })),
      onMailFrom(_, __, done) {
        if (senderRefusal === undefined) return done();
        return done(Object.assign(new Error('Not this sender'), { responseCode: senderRefusal }));
      },
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.pipe(new PassThrough()).on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          if (refusal !== undefined) return done(Object.assign(new Error('No'), { responseCode: refusal }));
          const { mailFrom, rcptTo } = session.envelope;
          const raw = Buffer.concat(chunks).toString('utf8');
          received.push(
            read(
              raw,
              mailFrom ? mailFrom.address : '',
              rcptTo.map(({ address }) => address),
            ),
          );
          return done();
        });
      },
    });
  const start = async () => {
    server = make();
    server.on('error', () => {});
    await once(server.listen(port, '127.0.0.1'), 'listening');
  };
  const stop = async () => {
    const running = server;
    server = undefined;
    if (running) await new Promise<void>((done) => running.close(() => done()));
  };
  await start();
  t.teardown(stop);
  const login = options.user ? `${options.user}:${options.password}@` : '';
  const url = `smtp://${login}127.0.0.1:${port}`;
  const refuse = (code: number | undefined) => (refusal = code);
  const refuseSender = (code: number | undefined) => (senderRefusal = code);
  return { url, received, start, stop, refuse, refuseSender } satisfies MailServer;
}

function read(raw: string, from: string, to: string[]): Received {
  const [head = ''] = raw.split('\r\n\r\n');
  const header = (name: string) =>
    new RegExp(`^${name}:[ \\t]*(.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(head)?.[1]?.replace(/\r\n[ \t]/g, ' ');
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1];
  const parts = (boundary ? raw.split(`--${boundary}`).slice(1, -1) : []).map((part) => {
    const [own = '', ...body] = part.trim().split('\r\n\r\n');
    const type = /Content-Type: ([^;\r\n]+)/i.exec(own)?.[1] ?? '';
    return [type, decoded(body.join('\r\n\r\n'), /Content-Transfer-Encoding: (\S+)/i.exec(own)?.[1])];
  });
  return { from, to, raw, header, parts: Object.fromEntries(parts) };
}

function decoded(text: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8').replaceAll('\r\n', '\n');
  if (encoding !== 'quoted-printable') return text.replaceAll('\r\n', '\n');
  const bytes = text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`);
  return decodeURIComponent(bytes.replace(/%(?![0-9A-F]{2})/g, '%25')).replaceAll('\r\n', '\n');
}

/** Decodes an encoded header. */
export function words(header = ''): string {
  const joined = header.replace(/\?=\s+=\?/g, '?==?');
  return joined.replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64').toString('utf8')
      : decodeURIComponent(
          text
            .replaceAll('_', ' ')
            .replace(/%/g, '%25')
            .replace(/=([0-9A-F]{2})/g, '%$1'),
        ),
  );
}
