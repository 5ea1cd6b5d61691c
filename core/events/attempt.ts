// One attempt at one delivery, and what follows from its failure.
import type { Context } from '../context.ts';
import { within } from './within.ts';
import { failDelivery, finishDelivery, type Claimed } from './delivery.ts';
import type { DispatcherOptions } from './dispatcher.ts';
import type { Occurrence } from './event.ts';
import { chance } from '../random.ts';
import { plus } from '../time.ts';

/** Who gets a delivery. A `Subscriber` is one; webhooks make theirs as they are registered. */
export interface Target {
  readonly handle: (ctx: Context<undefined>, occurrence: Occurrence<any>, attempt: number) => Promise<void>;
  /** The work leaves the database (HTTP, mail): no transaction is held meanwhile, and it may happen twice. */
  readonly outside?: boolean;
  /** Seconds before each attempt; its length is the number of attempts. */
  readonly ladder?: readonly number[];
}

/** Thrown by a target that knows when to try again, or that it is of no use. */
export class Undelivered extends Error {
  readonly retryAfterSeconds: number;
  readonly final: boolean;
  constructor(message: string, more: { retryAfterSeconds?: number; final?: boolean } = {}) {
    super(message);
    this.retryAfterSeconds = more.retryAfterSeconds ?? 0;
    this.final = more.final ?? false;
  }
}

/** Somebody else has claimed the delivery meanwhile: what was done for it is undone. */
export class Lost extends Error {}

const MINUTE = 60;
const HOUR = 3600;
const LADDER: readonly number[] = [0, 5, 30, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR];
const DEADLINE_SECONDS = 30;
/** SQLite has one connection; whoever holds it longer is given up by the others anyway. */
const SQLITE_DEADLINE_SECONDS = 2;

/** How long a handler may take. */
export function deadlineOf(options: DispatcherOptions, target: Target): number {
  if (options.deadlineSeconds !== undefined) return options.deadlineSeconds;
  return options.database.dialect === 'sqlite' && !target.outside ? SQLITE_DEADLINE_SECONDS : DEADLINE_SECONDS;
}

/** Runs the handler and marks the delivery done, both in one transaction. @throws what the handler throws; Lost */
export async function attemptDelivery(options: DispatcherOptions, claimed: Claimed): Promise<void> {
  const target = options.find(claimed.subscriber);
  if (!target) throw new Error('There is no subscriber of this name');
  const handle = (ctx: Context<undefined>) =>
    within(
      deadlineOf(options, target),
      () => target.handle(ctx, claimed.occurrence, claimed.attempts),
      'The handler missed its deadline',
    );
  const outside = options.makeContext();
  if (target.outside) await handle(outside);
  await outside.transaction(async (ctx) => {
    if (!target.outside) await handle(ctx);
    if (!(await finishDelivery(ctx.db, claimed, options.clock.now()))) throw new Lost();
  });
}

/** Plans the next attempt, or parks the delivery after the last. */
export async function settleFailure(options: DispatcherOptions, claimed: Claimed, error: unknown): Promise<void> {
  const { database, clock, log } = options;
  const wait = nextWait(claimed.attempts, options.find(claimed.subscriber)?.ladder ?? LADDER, error);
  const now = clock.now();
  const next = wait === undefined ? undefined : plus(now, { seconds: wait });
  const message = error instanceof Error ? error.message : String(error);
  const { subscriber, attempts, occurrence } = claimed;
  const about = { err: error, subscriber, attempts, event_id: occurrence.event_id, event: occurrence.name };
  if (next) log.warn(about, 'outbox: a delivery failed and will be repeated');
  else log.error(about, 'outbox: a delivery failed for good and is parked');
  await failDelivery(database, claimed, { error: message, now, next });
}

/** Seconds until the next attempt, ±20 % so that failures do not come back in step; undefined after the last one. */
export function nextWait(attempts: number, ladder: readonly number[], error?: unknown): number | undefined {
  if (error instanceof Undelivered && error.final) return undefined;
  const step = ladder[attempts];
  if (step === undefined) return undefined;
  const wait = step * (0.8 + 0.4 * chance());
  return error instanceof Undelivered ? Math.max(wait, error.retryAfterSeconds) : wait;
}
