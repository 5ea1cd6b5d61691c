// Events, subscribers and jobs for plugins: the core/events declarations typed with the full context.
import type * as targets from '@keelson/events/delivery/target.ts';
import * as events from '@keelson/events/event.ts';
import * as jobs from '@keelson/events/job/job.ts';
import * as subscribers from '@keelson/events/subscriber.ts';
import type { z } from 'zod';
import type { App } from '../app.ts';
import type { Context } from '../context.ts';

type System = Context<undefined>;

/** An event declared with `event(…)`. */
export type Event<Data = unknown> = events.Event<Data, Context>;
/** How to read an event's record later. */
export type EventRecord<Data> = events.EventRecord<Data, Context>;
/** A subscriber declared with `subscriber(…)`. */
export type Subscriber = subscribers.Subscriber<System>;
export type Job = jobs.Job<System>;
/** An event recipient: a subscriber, or a target registered at run time. */
export type Target = targets.Target<System>;
/** Targets registered for events at run time, such as webhooks. */
export type Receivers = targets.Receivers<App>;

/** Declares an event. Emitting it checks the data against `shape`. */
export const event: <Data>(
  name: string,
  shape: z.ZodType<Data>,
  options?: { webhook?: 'admin' | 'crm'; record?: EventRecord<NoInfer<Data>> },
) => Event<Data> = events.event;

/**
 * Declares a subscriber. `handle` runs with the system's context, in a transaction unless the subscriber is `outside`.
 */
export const subscriber: <Data>(
  name: string,
  to: Event<Data>,
  handle: (ctx: System, occurrence: events.Occurrence<Data>, delivery: targets.DeliveryAttempt) => Promise<void>,
  options?: subscribers.SubscriberOptions,
) => Subscriber = subscribers.subscriber;

/**
 * Declares a job. `run` gets the system's context outside a transaction and opens short transactions itself. `stopping`
 * is aborted when the process stops: a run that lasts ends then. `title` says what it does, for administrators.
 */
export const job: (
  name: string,
  cron: string,
  run: (ctx: System, running: { readonly stopping: AbortSignal }) => Promise<void>,
  options?: { readonly title?: string },
) => Job = jobs.job;
