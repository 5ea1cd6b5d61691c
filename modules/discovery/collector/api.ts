// The three operations that a collector may use.
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
  post(message: Message): Promise<void>;
}

/** Keelson was reached, and does not take it. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, text: string) {
    super(`Keelson answered ${status}: ${text.slice(0, 300)}`);
    this.status = status;
  }
}

const TIMEOUT_MS = 120_000;

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
    const text = await answer.text();
    if (!answer.ok) throw new Refused(answer.status, text);
    return JSON.parse(text);
  };
  return {
    async poll() {
      const answer = await ask('GET', '/connect/collector/commands');
      const data = Object(answer).data;
      return Array.isArray(data) ? data : [];
    },
    async post({ path, body }) {
      await ask('POST', path, body);
    },
  };
}
