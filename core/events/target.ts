// Who gets a delivery: a subscriber of this process, or a receiver outside that was registered at run time.
import type { Db } from '../database/db.ts';
import type { Event, Occurrence } from './event.ts';
import type { Timestamp } from '../kit/time.ts';

export interface Target<Ctx = any> {
  readonly handle: (ctx: Ctx, occurrence: Occurrence<any>, delivery: DeliveryAttempt) => Promise<Report | void>;
  /** The work leaves the database (HTTP, mail): no transaction is held meanwhile, and it may happen twice. */
  readonly outside?: boolean;
  /** Seconds before each attempt; its length is the number of attempts. */
  readonly retrySchedule?: readonly number[];
  /** Told how attempts ended, in the transaction that writes them down; it may run twice, like any transaction. */
  readonly settled?: (ctx: Ctx, outcomes: readonly DeliveryOutcome[]) => Promise<void>;
}

export interface DeliveryAttempt {
  /** The same for every attempt at this delivery. */
  readonly delivery_id: number;
  /** This one included. */
  readonly attempts: number;
}

/** What somebody outside answered; kept with the delivery. */
export interface Report {
  readonly status?: number;
  /** Its beginning: at most 1024 characters are kept. */
  readonly answer?: string;
}

/** How an attempt ended. */
export interface DeliveryOutcome extends DeliveryAttempt {
  /** `open`: it will be tried again. */
  readonly state: 'done' | 'open' | 'parked';
  readonly at: Timestamp;
  readonly report: Report;
  readonly error: string | null;
}

export interface Emitted {
  readonly event: Event;
  /** See `Context.cause`. */
  readonly cause: string | null;
}

/** Targets that come and go at run time, as webhooks do. Both are asked for every event and answer from a cache. */
export interface Receivers<App = any> {
  /** What the names of their deliveries begin with: `webhook:`. All of them are outside. */
  readonly prefix: string;
  /** Who wants it, as `webhook:12`. `db` is the transaction of the change: nobody else may be waited for in it. */
  targets(app: App, db: Db, emitted: Emitted): Promise<readonly string[]>;
  /** Undefined when there is none of this name (any more). */
  find(app: App, subscriber: string): Promise<Target | undefined>;
}

/** Thrown by a target that knows when to try again, or that it is of no use. */
export class DeliveryError extends Error {
  readonly retryAfterSeconds: number;
  readonly final: boolean;
  readonly report: Report;
  constructor(message: string, more: { retryAfterSeconds?: number; final?: boolean; report?: Report } = {}) {
    super(message);
    this.retryAfterSeconds = more.retryAfterSeconds ?? 0;
    this.final = more.final ?? false;
    this.report = more.report ?? {};
  }
}
