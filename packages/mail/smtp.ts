// Runs one SMTP session. Errors before the message is sent concern the server and say nothing about the mail; later
// ones concern the mail.
import { isIP } from 'node:net';
import { messageOf } from '@keelson/kit/message-of.ts';
import { TimeoutError, withTimeout } from '@keelson/kit/timeout.ts';
import type { default as SMTPConnection, SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS if the server offers it. */
  readonly secure: boolean;
  readonly user: string;
  readonly password: string;
  /** An access token (XOAUTH2) instead of a password. */
  readonly accessToken?: string | undefined;
  /** The host name to send in EHLO. */
  readonly name: string;
  /** The IP address to connect to, if the host name is already resolved. */
  readonly address?: string | undefined;
}

export interface SmtpMessage {
  readonly from: string;
  readonly to: string;
  readonly bytes: Buffer;
}

/** Thrown when the server is currently unreachable or unusable. */
export class ServerAway extends Error {}

/** Thrown when the server rejects this mail; `final` when retrying is pointless. */
export class MailRefused extends Error {
  readonly final: boolean;
  constructor(message: string, final: boolean) {
    super(message);
    this.final = final;
  }
}

const SECOND = 1000;
/** Until the server has greeted us, including TLS. */
const CONNECT_SECONDS = 10;
// Shorter than the delivery's deadline of 30 s, so that no session outlives it.
const WHOLE_SECONDS = 25;
// The library's own limits would also count the time in which this process is suspended (timeout.ts).
const LIBRARY_LIMIT = 10 * 60 * 1000;
const TIMEOUTS = {
  dnsTimeout: 5 * SECOND,
  connectionTimeout: LIBRARY_LIMIT,
  greetingTimeout: LIBRARY_LIMIT,
  socketTimeout: LIBRARY_LIMIT,
} as const;

/** Parses a server's URL: `smtp://user:password@mail.example.com:587`, `smtps://…`. */
export function smtpServer(url: string): Omit<SmtpServer, 'name'> {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}

/** Sends a message. @throws ServerAway, MailRefused */
export function deliverBySmtp(server: SmtpServer, { from, to, bytes }: SmtpMessage): Promise<void> {
  return converse(server, async (ask, connection) => {
    const envelope = { from, to: [to], size: bytes.length };
    await ask((done) => connection.send(envelope, bytes, done)).catch((error: unknown) => {
      throw new MailRefused(messageOf(error), isFinal(error));
    });
  });
}

/** Connects and signs in without sending. @throws ServerAway */
export function tryServer(server: SmtpServer): Promise<void> {
  return converse(server, async () => {});
}

type Ask = (begin: (done: (error?: Error | null) => void) => void) => Promise<void>;

async function converse(
  server: SmtpServer,
  work: (ask: Ask, connection: SMTPConnection) => Promise<void>,
): Promise<void> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const connection = new Connection(optionsOf(server));
  const broken = new Promise<never>((_, reject) => connection.on('error', reject));
  // After the session nothing awaits this promise; its rejection must not end the process.
  broken.catch(() => {});
  const ask: Ask = (begin) =>
    Promise.race([
      broken,
      new Promise<void>((resolve, reject) => begin((error) => (error ? reject(error) : resolve()))),
    ]);
  const whole = async () => {
    await signIn(server, connection, ask);
    await work(ask, connection);
  };
  try {
    await withTimeout(WHOLE_SECONDS, whole, 'The mail server is too slow');
    connection.quit();
  } catch (error) {
    connection.close();
    // It is unknown how far the session got, so the message may have arrived.
    throw error instanceof TimeoutError ? new MailRefused(error.message, false) : error;
  }
}

async function signIn(
  { user, password, accessToken }: SmtpServer,
  connection: SMTPConnection,
  ask: Ask,
): Promise<void> {
  try {
    const connect = () => ask((done) => connection.connect(done));
    await withTimeout(CONNECT_SECONDS, connect, 'The mail server does not respond');
    if (accessToken !== undefined) {
      const { default: Token } = await import('nodemailer/lib/xoauth2');
      await ask((done) => connection.login({ user, oauth2: new Token({ user, accessToken }) }, done));
    } else if (user) await ask((done) => connection.login({ user, pass: password }, done));
  } catch (error) {
    throw new ServerAway(messageOf(error), { cause: error });
  }
}

function optionsOf({ host, address, port, secure, user, name }: SmtpServer): SMTPConnectionOptions {
  // Send passwords only over an encrypted connection.
  const requireTLS = user !== '' && !secure && !isLoopback(host);
  const at = address === undefined ? { host } : { host: address, ...(isIP(host) === 0 && { servername: host }) };
  // Where encryption is optional, checking the certificate protects nothing, and relays rarely have a trusted one.
  const tls = { rejectUnauthorized: secure || requireTLS };
  return { ...at, port, secure, requireTLS, tls, name, ...TIMEOUTS };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** To MAIL FROM: the message is larger than the server accepts. */
const TOO_LARGE = 552;

/**
 * Whether retrying is pointless: 5xx, or an envelope or message that no server could accept. A refused sender is not
 * final: the server accepts it once its own settings, or ours, are right.
 */
function isFinal(error: unknown): boolean {
  const { responseCode, code, command } = error as { responseCode?: number; code?: string; command?: string };
  if (responseCode === undefined) return code === 'EENVELOPE' || code === 'EMESSAGE';
  return command === 'MAIL FROM' ? responseCode === TOO_LARGE : responseCode >= 500;
}
