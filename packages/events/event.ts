// Events. An event is stored with the change that caused it and delivered later (outbox.ts).
import type { Timestamp } from '@keelson/kit/time.ts';
import type { z } from 'zod';

export interface Event<Data = unknown, Ctx = any> {
  /** `ticket.closed`: the name in webhooks and workflows. */
  readonly name: string;
  readonly shape: z.ZodType<Data>;
  /** The webhook registry that offers it (N-21); undefined for internal events. */
  readonly webhook: 'admin' | 'crm' | undefined;
  /** The record in `data`, if it can also be read later. */
  readonly record: EventRecord<Data, Ctx> | undefined;
}

export interface EventRecord<Data, Ctx = any> {
  /** Example: `ticket`. */
  readonly type: string;
  /** The data member with its id; by default `ticket_id` for the type `ticket`. */
  readonly id?: string;
  /** Reads the current record, in the form of the event's data. @throws notFound() */
  read(ctx: Ctx, id: number): Promise<Data>;
}

/** Declares an event. Its data is checked against `shape` when it is emitted. */
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
  /** The names of the changed fields, if the emitter provides them. */
  readonly changed: readonly string[];
  /** See `Context.cause`. */
  readonly cause: string | null;
}
