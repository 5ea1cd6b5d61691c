// Events: what happened, told to whoever asked. Stored with the change that caused them (outbox.ts), delivered later.
import type { z } from 'zod';
import type { DeliveryAttempt, Target } from './target.ts';
import type { Timestamp } from '../kit/time.ts';

export interface Event<Data = unknown, Ctx = any> {
  /** `ticket.closed`: the name in webhooks and workflows. */
  readonly name: string;
  readonly shape: z.ZodType<Data>;
  /** Which webhook registry offers it (N-21); none: for subscribers in this process only. */
  readonly webhook: 'admin' | 'crm' | undefined;
  /** The record that `data` shows, where it can be read at other times too. */
  readonly record: EventRecord<Data, Ctx> | undefined;
}

export interface EventRecord<Data, Ctx = any> {
  /** `ticket`: the id is the data's `ticket_id`. */
  readonly type: string;
  /** As it is now, in the form of the event's data. @throws notFound() */
  read(ctx: Ctx, id: number): Promise<Data>;
}

/** Declares an event; its data is checked against `shape` when it is emitted. */
export function event<Data, Ctx>(
  name: string,
  shape: z.ZodType<Data>,
  options: { webhook?: 'admin' | 'crm'; record?: EventRecord<NoInfer<Data>, Ctx> } = {},
): Event<Data, Ctx> {
  return Object.freeze({ name, shape, webhook: options.webhook, record: options.record });
}

/** An event as a subscriber receives it. */
export interface Occurrence<Data> {
  readonly event_id: string;
  readonly name: string;
  readonly at: Timestamp;
  readonly data: Data;
  /** The names of the fields that changed, where the event tells of a change and its emitter says which. */
  readonly changed: readonly string[];
  /** See `Context.cause`. */
  readonly cause: string | null;
}

export type SubscriberOptions = Pick<Target, 'outside' | 'retrySchedule'>;

/**
 * Something to do after an event: at least once, in its own transaction, retried when it throws. Each subscriber has
 * its own delivery, so one that fails or hangs holds nobody else up.
 */
export interface Subscriber<Ctx = any> extends SubscriberOptions {
  /** `warranty.notify`: the plugin's id, a dot, what it does. */
  readonly name: string;
  readonly event: Event<any>;
  readonly handle: (ctx: Ctx, occurrence: Occurrence<any>, delivery: DeliveryAttempt) => Promise<void>;
}

/** Declares a subscriber; `handle` runs with the system's own context. */
export function subscriber<Data, Ctx>(
  name: string,
  to: Event<Data>,
  handle: (ctx: Ctx, occurrence: Occurrence<Data>, delivery: DeliveryAttempt) => Promise<void>,
  options: SubscriberOptions = {},
): Subscriber<Ctx> {
  return Object.freeze({ name, event: to, handle, ...options });
}
