// The stream of changes (docs/live.md), read with fetch, because EventSource cannot send a key.
import { refusal, rest } from './patiently.ts';

/** A message of the stream: a record changed, someone has one open, or everything shown is to be read again. */
export interface Change {
  readonly event: 'change' | 'reload' | 'presence';
  readonly data: Readonly<Record<string, unknown>>;
}

const RECONNECT_SECONDS = 2;

/**
 * Returns messages until the signal ends it. `connect` gets the last message's id.
 * @throws KeelsonError when the server refuses the stream
 */
export async function* changes(
  connect: (lastId: string, signal: AbortSignal) => Promise<Response>,
  signal?: AbortSignal,
): AsyncGenerator<Change, void> {
  const own = new AbortController();
  const stop = () => own.abort();
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) own.abort();
  let lastId = '';
  try {
    while (!own.signal.aborted) {
      // An unreachable server is tried again, as EventSource does.
      const answer = await connect(lastId, own.signal).catch(() => undefined);
      if (answer && !answer.ok && answer.status !== 503) throw await refusal(answer);
      for await (const { id, event, data } of answer?.ok ? messages(answer) : []) {
        if (id !== '') lastId = id;
        if (data !== '') yield { event: event as Change['event'], data: JSON.parse(data) };
      }
      // The signal may end the pause: the loop ends then.
      if (!own.signal.aborted) await rest(RECONNECT_SECONDS, own.signal).catch(() => {});
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    // The reader stopped: the connection ends with it.
    own.abort();
  }
}

interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Reads server-sent events. A lost connection ends them. */
async function* messages(answer: Response): AsyncGenerator<Message, void> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; ;) {
    // A lost connection: the caller connects again.
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
