// Client for the three API operations available to a collector.
export interface Command {
  readonly command_id: number;
  readonly command_type: 'scan' | 'sync' | 'update_config' | 'restart';
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface Message {
  readonly path: string;
  readonly body: unknown;
}

export interface Send {
  poll(): Promise<readonly Command[]>;
  /** Tells Keelson that these commands are still being worked on. */
  keep(commands: readonly Command[]): Promise<void>;
  post(message: Message): Promise<void>;
}

/** The server responded with an error status. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, text: string) {
    super(`Keelson responded with ${status}: ${text.slice(0, 300)}`);
    this.status = status;
  }
}

const TIMEOUT_MS = 120_000;
const MOST_COMMANDS = 100;
const MAX_ANSWER = 4 * 1024 * 1024;

/** Reads a response up to MAX_ANSWER bytes. @throws Error */
async function textOf(answer: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body ?? []) {
    size += piece.length;
    if (size > MAX_ANSWER) throw new Error('The response is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Parses a command. The id becomes part of a URL, so entries without a valid one are dropped. */
function commandOf(given: unknown): Command[] {
  const { command_id, command_type, parameters } = Object(given);
  if (!Number.isSafeInteger(command_id) || command_id < 1) return [];
  return [
    { command_id, command_type: String(command_type) as Command['command_type'], parameters: Object(parameters) },
  ];
}

/**
 * Validates the server URL. Without TLS the token can be intercepted, so plain HTTP requires localhost or `insecure`.
 * @throws Error
 */
export function addressOf(url: string, { insecure }: { readonly insecure: boolean }): string {
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') throw new Error('--url must not contain a user or a password');
  const own = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  if (protocol === 'https:' || (protocol === 'http:' && (own || insecure))) return url;
  throw new Error(`${url} is not https; use --insecure to send the token unencrypted anyway`);
}

export function api(url: string, token: string): Send {
  const base = `${url.replace(/\/+$/, '')}/admin/api/v1`;
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(base + path, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await textOf(answer);
    if (!answer.ok) throw new Refused(answer.status, text);
    return JSON.parse(text);
  };
  return {
    async poll() {
      const answer = await ask('GET', '/connect/collector/commands');
      const data = Object(answer).data;
      return Array.isArray(data) ? data.slice(0, MOST_COMMANDS).flatMap(commandOf) : [];
    },
    async keep(commands) {
      const running = commands.map((each) => each.command_id).join(',');
      await ask('GET', `/connect/collector/commands?running=${running}`);
    },
    async post({ path, body }) {
      await ask('POST', path, body);
    },
  };
}

/** Returns the message of an error, or any other caught value as text. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
