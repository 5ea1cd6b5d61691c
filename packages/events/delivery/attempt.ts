// Attempts a delivery once, and schedules the retry after a failure.
import type { Database } from '@keelson/database/db.ts';
import { messageOf } from '@keelson/kit/message-of.ts';
import { chance } from '@keelson/kit/random.ts';
import { plus, type Clock } from '@keelson/kit/time.ts';
import { TimeoutError, withTimeout } from '@keelson/kit/timeout.ts';
import type { Logger } from 'pino';
import type { WorkContext } from '../work-context.ts';
import { finishDelivery, type Claimed, type AttemptResult } from './delivery.ts';
import { DeliveryError, type Report, type Target } from './target.ts';

/** What the deliveries of a process need. */
export interface DeliveryOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly find: (subscriber: string) => Promise<Target | undefined>;
  readonly isOutside: (subscriber: string) => boolean;
  /** Creates a context outside a transaction; `cause` is that of the event. */
  readonly makeContext: (cause?: string | null) => WorkContext;
  /** Runs before each delivery, to refresh the state that its context exposes. */
  readonly refresh: () => Promise<void>;
  /** Deadline of a handler: 30 s, or 2 s if it holds SQLite's only connection. */
  readonly deadlineSeconds?: number;
}

/** Thrown to roll back this attempt when another process has claimed the delivery in the meantime. */
class LostClaim extends Error {}

const MINUTE = 60;
const HOUR = 3600;
const RETRY_SCHEDULE: readonly number[] = [0, 5, 30, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR];
const DEADLINE_SECONDS = 30;
/** SQLite has a single connection, which no request waits for longer than this. */
const SQLITE_DEADLINE_SECONDS = 2;

export interface Attempted {
  /** False when the handler missed its deadline. */
  readonly inTime: boolean;
  /** The result still to be stored; undefined when stored together with the work. */
  readonly result?: AttemptResult;
}

/**
 * Runs the handler in the transaction that marks the delivery as done, or outside any transaction for external targets.
 * Never throws.
 */
export async function attemptDelivery(options: DeliveryOptions, claimed: Claimed): Promise<Attempted> {
  let target: Target | undefined;
  try {
    target = await options.find(claimed.subscriber);
    if (!target) throw new Error('No subscriber with this name');
    await options.refresh();
    if (options.isOutside(claimed.subscriber)) {
      return { inTime: true, result: success(options, claimed, await handle(options, target, claimed)) };
    }
    await runInside(options, target, claimed);
    return { inTime: true };
  } catch (error) {
    const inTime = !(error instanceof TimeoutError);
    return error instanceof LostClaim ? { inTime } : { inTime, result: failure(options, claimed, target, error) };
  }
}

/** Returns the seconds until the next attempt, with ±20 % jitter; undefined after the last attempt. */
export function nextWait(attempts: number, retrySchedule: readonly number[], error?: unknown): number | undefined {
  if (error instanceof DeliveryError && error.final) return undefined;
  const step = retrySchedule[attempts];
  if (step === undefined) return undefined;
  const wait = step * (0.8 + 0.4 * chance());
  return error instanceof DeliveryError ? Math.max(wait, error.retryAfterSeconds) : wait;
}

function handle(
  options: DeliveryOptions,
  target: Target,
  claimed: Claimed,
  ctx: WorkContext = options.makeContext(claimed.occurrence.cause),
): Promise<Report | void> {
  const work = () => target.handle(ctx, claimed.occurrence, claimed);
  return withTimeout(deadlineOf(options, claimed), work, 'The handler missed its deadline', {
    background: true,
  });
}

async function runInside(options: DeliveryOptions, target: Target, claimed: Claimed): Promise<void> {
  await options.makeContext(claimed.occurrence.cause).transaction(async (ctx) => {
    await handle(options, target, claimed, ctx);
    if (!(await finishDelivery(ctx.db, claimed, options.clock.now()))) throw new LostClaim();
  });
}

function deadlineOf(options: DeliveryOptions, { subscriber }: Claimed): number {
  if (options.deadlineSeconds !== undefined) return options.deadlineSeconds;
  return options.database.dialect === 'sqlite' && !options.isOutside(subscriber)
    ? SQLITE_DEADLINE_SECONDS
    : DEADLINE_SECONDS;
}

function success({ clock }: DeliveryOptions, claimed: Claimed, report: Report | void): AttemptResult {
  return { claimed, state: 'done', at: clock.now(), next: undefined, error: null, report: report ?? {} };
}

function failure(
  { clock, log, isOutside }: DeliveryOptions,
  claimed: Claimed,
  target: Target | undefined,
  error: unknown,
): AttemptResult {
  const wait = nextWait(claimed.attempts, target?.retrySchedule ?? RETRY_SCHEDULE, error);
  const at = clock.now();
  const { subscriber, attempts, occurrence } = claimed;
  const details = { err: error, subscriber, attempts, event_id: occurrence.event_id, event: occurrence.name };
  // A failing receiver is its operator's problem and appears in its delivery log.
  if (target && isOutside(subscriber)) log.debug(details, 'outbox: a receiver rejected a delivery');
  else if (wait !== undefined) log.warn(details, 'outbox: a delivery failed and will be retried');
  else log.error(details, 'outbox: a delivery failed permanently and was parked');
  return {
    claimed,
    state: wait === undefined ? 'parked' : 'open',
    at,
    next: wait === undefined ? undefined : plus(at, { seconds: wait }),
    error: messageOf(error).slice(0, 500),
    report: error instanceof DeliveryError ? error.report : {},
  };
}
