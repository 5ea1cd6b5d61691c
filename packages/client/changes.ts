// The change stream (docs/live.md), read with fetch because EventSource cannot send a key.
import { KeelsonError, refusal, rest } from './patiently.ts';

/** A message of the stream: a record changed, someone opened one, or everything shown must be reloaded. */
export interface Change {
  readonly event: 'change' | 'reload' | 'presence';
  readonly data: Readonly<Record<string, unknown>>;
}

const RECONNECT_SECONDS = 2;
/** Responses of a server, or of the proxy in front of it, that is busy or restarting. */
const INTERRUPTIONS: readonly number[] = [502, 503, 504];

/** Messages of `fetch` when the network fails: of Node, and of browsers, which give no cause. */
const UNREACHABLE = /^(fetch failed|Failed to fetch|NetworkError when attempting to fetch resource\.|Load failed.*)$/;

export interface Stream {
  /** Returns the headers that authenticate a connection. Called for each one. */
  readonly authenticate: () => Promise<Record<string, string>>;
  /** Connects, to receive what came after the message with this id. */
  readonly connect: (headers: Headers, lastId: string, signal: AbortSignal) => Promise<Response>;
}

/**
 * Yields messages until the signal is aborted.
 * @throws KeelsonError if the server rejects the stream; what `authenticate` throws, unless its request was interrupted
 */
export async function* changes({ authenticate, connect }: Stream, signal?: AbortSignal): AsyncGenerator<Change, void> {
  const own = new AbortController();
  const stop = () => own.abort();
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) own.abort();
  let lastId = '';
  try {
    while (!own.signal.aborted) {
      const headers = await authenticate().then(
        (credentials) => new Headers(credentials),
        (error: unknown) => {
          if (!own.signal.aborted && !isInterruption(error)) throw error;
        },
      );
      // Retry an unreachable server, as EventSource does.
      const answer = await (headers && connect(headers, lastId, own.signal).catch(() => undefined));
      if (answer && !answer.ok && !INTERRUPTIONS.includes(answer.status)) throw await refusal(answer);
      for await (const { id, event, data } of answer?.ok ? messages(answer) : []) {
        if (id !== '') lastId = id;
        if (data !== '') yield { event: event as Change['event'], data: JSON.parse(data) };
      }
      // The signal may abort the pause, which ends the loop.
      if (!own.signal.aborted) await rest(RECONNECT_SECONDS, own.signal).catch(() => {});
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    // The reader stopped, so close the connection.
    own.abort();
  }
}

/** Returns true if an error is a temporary failure of the network or of a server. */
function isInterruption(error: unknown): boolean {
  if (error instanceof KeelsonError) return error.status === 429 || INTERRUPTIONS.includes(error.status);
  if (!(error instanceof TypeError) || !UNREACHABLE.test(error.message)) return false;
  // Of an address that can never be reached, such as `foo://x`, the cause has no code.
  return error.cause === undefined || Object(error.cause).code !== undefined;
}

interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Parses server-sent events. Ends when the connection is lost. */
async function* messages(answer: Response): AsyncGenerator<Message, void> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; ;) {
    // Connection lost; the caller reconnects.
    const read = await reader?.read().catch(() => undefined);
    if (!read || read.done) return;
    text += read.value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) yield message(block);
  }
}

function message(block: string): Message {
  const lines = block.split('\n').map((line) => line.split(/: ?(.*)/s));
  const of = (name: string) => lines.filter(([each]) => each === name).map(([, value]) => value ?? '');
  return { id: of('id').at(-1) ?? '', event: of('event').at(-1) ?? 'message', data: of('data').join('\n') };
}
