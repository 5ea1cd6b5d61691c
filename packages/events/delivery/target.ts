// The target of a delivery: a subscriber in the code, or an external receiver registered at run time.
import type { Db } from '@keelson/database/db.ts';
import type { Timestamp } from '@keelson/kit/time.ts';
import type { Event, Occurrence } from '../event.ts';

export interface Target<Ctx = any> {
  readonly handle: (ctx: Ctx, occurrence: Occurrence<any>, delivery: DeliveryAttempt) => Promise<Report | void>;
  /** The work leaves the database (HTTP, mail): it runs outside a transaction and may happen twice. */
  readonly outside?: boolean;
  /** Seconds before each attempt; its length is the number of attempts. */
  readonly retrySchedule?: readonly number[];
  /** Called with the outcomes of attempts, in the transaction that stores them, which may run twice. */
  readonly settled?: (ctx: Ctx, outcomes: readonly DeliveryOutcome[]) => Promise<void>;
}

export interface DeliveryAttempt {
  /** The same for every attempt at this delivery. */
  readonly delivery_id: number;
  /** Attempts so far, including this one. */
  readonly attempts: number;
}

/** The response of an external receiver, stored with the delivery. */
export interface Report {
  readonly status?: number;
  /** The start of the body; at most 1024 characters are stored. */
  readonly answer?: string;
}

/** How an attempt ended. */
export interface DeliveryOutcome extends DeliveryAttempt {
  /** `open`: it will be retried. */
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

/** Targets registered at run time, such as webhooks. Both functions run for every event and should cache. */
export interface Receivers<App = any> {
  /** The prefix of their subscriber names: `webhook:`. All of them are external. */
  readonly prefix: string;
  /**
   * Returns the targets for an event, such as `webhook:12`. `db` is the transaction of the change; do not wait for
   * another one in it.
   */
  targets(app: App, db: Db, emitted: Emitted): Promise<readonly string[]>;
  /** Returns the target with this name; undefined if it no longer exists. */
  find(app: App, subscriber: string): Promise<Target | undefined>;
}

/** Thrown by a target to set the time of the next attempt, or to stop retrying. */
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
