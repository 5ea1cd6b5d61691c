// Client of the widget endpoints. Nothing throws; a failure is a reply too.

export interface Failed {
  readonly ok: false;
  /** 0 if the server was unreachable. */
  readonly status: number;
  /** Seconds to wait before a retry. */
  readonly wait: number;
}
export type Reply<Body> = Failed | { readonly ok: true; readonly body: Body };

export interface Started {
  readonly session_id: string;
  readonly visitor_id: string;
  readonly greeting: string;
  readonly branding: { readonly company_name: string; readonly primary_color: string; readonly logo_url: string };
}

export interface Exchange {
  readonly response: { readonly message: string; readonly suggested_actions: readonly string[] };
  /** A person has taken over the chat. */
  readonly handed_over?: true;
}

export interface Conversation {
  readonly status: 'active' | 'waiting_agent' | 'with_agent' | 'ended';
  readonly messages: readonly {
    readonly sender_type: 'user' | 'assistant' | 'agent' | 'system';
    readonly message: string;
    readonly created_at: string;
  }[];
}

export interface ServiceState {
  readonly status: 'operating_normally' | 'maintenance' | 'outage';
  readonly online: boolean;
  readonly message: string;
}

export interface Server {
  init(visitor_id: string | undefined): Promise<Reply<Started>>;
  /** `message_id` is unique within the session: a message sent again is not answered twice. */
  message(session_id: string, message: string, message_id: string): Promise<Reply<Exchange>>;
  messages(session_id: string, since: string | undefined): Promise<Reply<Conversation>>;
  end(session_id: string): Promise<Reply<unknown>>;
  status(): Promise<Reply<ServiceState>>;
}

const TIMEOUT_MS = 20_000;
const MAX_ADDRESS = 2048;

export function serverAt(origin: string, key: string): Server {
  const ask = async <Body>(method: string, path: string, body?: object): Promise<Reply<Body>> => {
    try {
      const answer = await fetch(`${origin}/admin/api/v1/crm/widget/${path}`, {
        method,
        headers: body ? { 'X-API-Key': key, 'Content-Type': 'application/json' } : { 'X-API-Key': key },
        body: body ? JSON.stringify(body) : null,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (answer.ok) return { ok: true, body: (await answer.json()) as Body };
      return { ok: false, status: answer.status, wait: Number(answer.headers.get('Retry-After')) || 0 };
    } catch {
      return { ok: false, status: 0, wait: 0 };
    }
  };
  return {
    init: (visitor_id) =>
      ask('POST', 'init', {
        visitor_id,
        page_url: withoutQuery(location.href),
        referrer: withoutQuery(document.referrer),
      }),
    message: (session_id, message, message_id) => ask('POST', 'message', { session_id, message, message_id }),
    messages: (session_id, since) => ask('POST', 'messages', { session_id, since }),
    end: (session_id) => ask('POST', 'end', { session_id }),
    status: () => ask('GET', 'status'),
  };
}

/** Strips query and fragment, which may contain secrets. */
function withoutQuery(address: string): string {
  return (address.split(/[?#]/)[0] ?? '').slice(0, MAX_ADDRESS);
}
