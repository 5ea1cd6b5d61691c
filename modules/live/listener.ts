// One open stream: its listener, what it receives, and how a slow client is handled.
import type { Context } from '@keelson/core';
import type { EventSink, LiveRecord, Surface } from '@keelson/core/plugin';

export interface Listener {
  readonly surface: Surface<any>;
  /** A stable name, for the limit per person. */
  readonly person: string;
  readonly sink: EventSink;
  readonly ctx: Context;
  /** Cached permissions by record, until the caller is checked again. */
  readonly allowed: Map<LiveRecord, boolean>;
  /** The company whose records a customer's person sees; undefined for the provider's own staff. */
  readonly company: number | undefined;
}

/** A listener's open stream, and when its next actions are due. */
export interface OpenStream {
  listener: Listener;
  /** The id after which the client's previous stream broke off. */
  after: number | undefined;
  /** Since when the client has lagged behind; undefined while it keeps up. */
  lateSince: number | undefined;
  /** When to check the caller again. */
  checkAt: number;
  /** When the next heartbeat is due. */
  beatAt: number;
}

/** Maximum bytes buffered for a client. A slower client gets a `reload` once it has caught up. */
const MOST_WAITING = 64 * 1024;
/** How long a client may lag before its stream is cut. */
const PATIENCE_MS = 60_000;
export const BEAT_MS = 25_000;

export const reloadText = 'event: reload\ndata: {}\n\n';

/** Writes to a stream, unless its client lags. The stream can be resumed from `id`. */
export function tell(stream: OpenStream, text: string, id: string): void {
  const { sink } = stream.listener;
  const now = performance.now();
  if (stream.lateSince === undefined && sink.waiting + text.length > MOST_WAITING) stream.lateSince = now;
  if (stream.lateSince !== undefined) return;
  // The id comes last: a client that has it has everything before it. Without an event it is a heartbeat.
  sink.write(`${text}id: ${id}\n\n`);
  stream.beatAt = now + BEAT_MS;
}

/** Sends `reload` to a client that has caught up, or cuts the stream of one that lags too long. */
export function catchUp(stream: OpenStream, id: string): void {
  if (stream.lateSince === undefined) return;
  if (stream.listener.sink.waiting === 0) {
    stream.lateSince = undefined;
    tell(stream, reloadText, id);
  } else if (performance.now() - stream.lateSince > PATIENCE_MS) {
    stream.listener.sink.end('cut');
  }
}
