// One open stream: who listens, what they are told, and what happens when they take it too slowly.
import type { Context } from '../plugin/context.ts';
import type { LiveRecord } from '../plugin/live-record.ts';
import type { EventSink } from '../plugin/returns.ts';
import type { Surface } from '../plugin/surface.ts';

export interface Listener {
  readonly surface: Surface<any>;
  /** A stable name, for the limit per person. */
  readonly person: string;
  readonly sink: EventSink;
  readonly ctx: Context;
  /** What the caller may hear of, by record; asked once until the caller is looked up again. */
  readonly allowed: Map<LiveRecord, boolean>;
  /** The company whose records a customer's person sees; undefined for the provider's own people. */
  readonly company: number | undefined;
}

/** The open stream of a listener, and when something is due for it. */
export interface OpenStream {
  listener: Listener;
  /** The id after which an earlier stream of theirs broke off. */
  after: number | undefined;
  /** Since when the client has not taken what waits; undefined while it keeps up. */
  lateSince: number | undefined;
  /** When the caller is looked up again. */
  checkAt: number;
  /** When a sign of life is due. */
  beatAt: number;
}

/** What may wait for a client. Whoever takes it more slowly is told to read everything anew once they have caught up. */
const MOST_WAITING = 64 * 1024;
/** When a client that takes nothing is given up. */
const PATIENCE_MS = 60_000;
export const BEAT_MS = 25_000;

export const reloadText = 'event: reload\ndata: {}\n\n';

/** Writes to a stream, unless its client is behind. `id` is from where it can be resumed. */
export function tell(stream: OpenStream, text: string, id: string): void {
  const { sink } = stream.listener;
  const now = performance.now();
  if (stream.lateSince === undefined && sink.waiting + text.length > MOST_WAITING) stream.lateSince = now;
  if (stream.lateSince !== undefined) return;
  // The id comes last: whoever has got it has got everything before it. Alone it is no event, but a sign of life.
  sink.write(`${text}id: ${id}\n\n`);
  stream.beatAt = now + BEAT_MS;
}

/** Looks after a stream whose client was behind: it goes on with `reload`, or is given up. */
export function catchUp(stream: OpenStream, id: string): void {
  if (stream.lateSince === undefined) return;
  if (stream.listener.sink.waiting === 0) {
    stream.lateSince = undefined;
    tell(stream, reloadText, id);
  } else if (performance.now() - stream.lateSince > PATIENCE_MS) {
    stream.listener.sink.end('cut');
  }
}
