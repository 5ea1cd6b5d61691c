// One conversation with the mail server. What fails before the message is offered is the server's matter and says
// nothing about the mail; what fails later is the mail's.
import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import { TimeoutError, withTimeout } from '../kit/timeout.ts';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise it is begun with STARTTLS where the server offers it. */
  readonly secure: boolean;
  readonly user: string;
  readonly password: string;
  /** What we call ourselves. */
  readonly name: string;
}

export interface SmtpMessage {
  readonly from: string;
  readonly to: string;
  readonly bytes: Buffer;
}

/** The server cannot be used now, whatever the mail. */
export class ServerAway extends Error {}

/** The server does not take this mail; `final` when it never will. */
export class MailRefused extends Error {
  readonly final: boolean;
  constructor(message: string, final: boolean) {
    super(message);
    this.final = final;
  }
}

const SECOND = 1000;
// All of it is over before the delivery's own deadline of 30 s, so that nothing goes on behind its back.
const WHOLE_SECONDS = 25;
const TIMEOUTS = {
  dnsTimeout: 5 * SECOND,
  connectionTimeout: 5 * SECOND,
  greetingTimeout: 10 * SECOND,
  socketTimeout: 20 * SECOND,
} as const;

/** The server a URL names: `smtp://user:password@mail.example.com:587`, `smtps://…`. */
export function smtpServer(url: string, name: string): SmtpServer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    name,
  };
}

/** Hands a message over. @throws ServerAway, MailRefused */
export function deliverBySmtp(server: SmtpServer, { from, to, bytes }: SmtpMessage): Promise<void> {
  return converse(server, async (ask, connection) => {
    const envelope = { from, to: [to], size: bytes.length };
    await ask((done) => connection.send(envelope, bytes, done)).catch((error: unknown) => {
      throw new MailRefused(messageOf(error), isFinal(error));
    });
  });
}

/** Connects and signs in, and sends nothing. @throws ServerAway */
export function tryServer(server: SmtpServer): Promise<void> {
  return converse(server, async () => {});
}

type Ask = (begin: (done: (error?: Error | null) => void) => void) => Promise<void>;

async function converse(
  server: SmtpServer,
  work: (ask: Ask, connection: SMTPConnection) => Promise<void>,
): Promise<void> {
  const connection = new SMTPConnection(optionsOf(server));
  const broken = new Promise<never>((_, reject) => connection.on('error', reject));
  // Whoever waits for nothing any more need not hear of it.
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
    // How far it had come is not known: the message may have arrived.
    throw error instanceof TimeoutError ? new MailRefused(error.message, false) : error;
  }
}

async function signIn({ user, password }: SmtpServer, connection: SMTPConnection, ask: Ask): Promise<void> {
  try {
    await ask((done) => connection.connect(done));
    if (user) await ask((done) => connection.login({ user, pass: password }, done));
  } catch (error) {
    throw new ServerAway(messageOf(error), { cause: error });
  }
}

function optionsOf({ host, port, secure, user, name }: SmtpServer): SMTPConnectionOptions {
  // A password goes over the network encrypted or not at all.
  const requireTLS = user !== '' && !secure && !isLoopback(host);
  return { host, port, secure, requireTLS, name, ...TIMEOUTS };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** 5xx, and an address that no server could be given. */
function isFinal(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  if (responseCode !== undefined) return responseCode >= 500;
  return code === 'EENVELOPE' || code === 'EMESSAGE';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
