// Events, subscribers and jobs for plugins: the same as in core/events, with the whole context for their work.
import type { z } from 'zod';
import * as events from '../events/event.ts';
import * as jobs from '../events/job.ts';
import type * as targets from '../events/target.ts';
import type { App } from './app.ts';
import type { Context } from './context.ts';

type System = Context<undefined>;

/** An event that `event(…)` declares. */
export type Event<Data = unknown> = events.Event<Data, Context>;
/** How the record that an event is about is read at other times. */
export type EventRecord<Data> = events.EventRecord<Data, Context>;
/** A subscriber that `subscriber(…)` declares. */
export type Subscriber = events.Subscriber<System>;
export type Job = jobs.Job<System>;
/** Who receives an event: a subscriber, or one that was registered at run time. */
export type Target = targets.Target<System>;
/** Those who were registered for events at run time, as webhooks are. */
export type Receivers = targets.Receivers<App>;

/** Declares an event. Its data is checked against `shape` when it is emitted. */
export const event: <Data>(
  name: string,
  shape: z.ZodType<Data>,
  options?: { webhook?: 'admin' | 'crm'; record?: EventRecord<NoInfer<Data>> },
) => Event<Data> = events.event;

/** Declares a subscriber. `handle` runs with the system's context, in a transaction unless the subscriber is `outside`. */
export const subscriber: <Data>(
  name: string,
  to: Event<Data>,
  handle: (ctx: System, occurrence: events.Occurrence<Data>, delivery: targets.DeliveryAttempt) => Promise<void>,
  options?: events.SubscriberOptions,
) => Subscriber = events.subscriber;

/** Declares a job. `run` gets the system's context outside a transaction, and opens short ones itself. */
export const job: (name: string, cron: string, run: (ctx: System) => Promise<void>) => Job = jobs.job;
