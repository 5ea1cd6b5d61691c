// The event and delivery tables, and the statements that find due deliveries and store results. claim.ts claims them.
import type { Db } from '@keelson/database/db.ts';
import { choice, id, int, json, key, table, text, when } from '@keelson/database/schema/table.ts';
import { joined, listed, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { toDatabase, type Timestamp } from '@keelson/kit/time.ts';
import { z } from 'zod';
import type { Occurrence } from '../event.ts';
import type { DeliveryOutcome, Report } from './target.ts';

/** What an attempt leads to. */
export interface AttemptResult {
  readonly claimed: Claimed;
  readonly state: DeliveryOutcome['state'];
  readonly at: Timestamp;
  /** The time of the next attempt, if any. */
  readonly next: Timestamp | undefined;
  readonly error: string | null;
  readonly report: Report;
}

/** A delivery that this process has claimed. */
export interface Claimed {
  readonly delivery_id: number;
  readonly subscriber: string;
  /** Attempts so far, including this one. */
  readonly attempts: number;
  readonly fence: number;
  readonly occurrence: Occurrence<unknown>;
}

/** Events; their ids sort by time. */
export const StoredEvent = table('event', {
  event_id: key(40).primary(),
  name: text(100),
  at: when(),
  data: json(z.unknown()),
  /** The fields that changed; never sent to external receivers. */
  changed: json(z.array(z.string())).nullable(),
  cause: key(120).nullable(),
});

/** One event for one subscriber. `open` means waiting or running; a running one is available again after its lease. */
export const Delivery = table(
  'delivery',
  {
    delivery_id: id(),
    event_id: key(40),
    subscriber: key(120),
    state: choice('open', 'done', 'parked').default('open'),
    available_at: when(),
    attempts: int().default(0),
    fence: int().default(0),
    error: text(500).nullable(),
    /** The receiver's response to the last attempt. */
    status: int().nullable(),
    answer: text(1024).nullable(),
    done_at: when().nullable(),
  },
  [['state', 'subscriber', 'available_at'], ['event_id'], ['subscriber']],
);

/** Maximum subscribers to check per call; each costs a statement. */
const STEPS = 200;
const KEPT_ANSWER = 1024;

export interface DueSubscribers {
  readonly due: readonly string[];
  /** Where the next call continues; '' at the end. */
  readonly after: string;
}

/**
 * Returns subscribers with due deliveries, by name, starting after `after`. Each step is one index lookup, however long
 * the backlog; for a GROUP BY both databases would read all of it.
 */
export async function findDue(db: Db, now: Timestamp, after = ''): Promise<DueSubscribers> {
  const due: string[] = [];
  let last = after;
  for (let i = 0; i < STEPS; i++) {
    const [next] = await db.query<{ subscriber: string; available_at: string }>(
      sql`SELECT subscriber, available_at FROM delivery WHERE state = 'open' AND subscriber > ${last}
        ORDER BY subscriber, available_at LIMIT 1`,
    );
    if (!next) return { due, after: '' };
    last = next.subscriber;
    if (next.available_at <= toDatabase(now)) due.push(last);
  }
  return { due, after: last };
}

/** Marks a delivery as done; false when another process has claimed it in the meantime. */
export async function finishDelivery(db: Db, { delivery_id, fence }: Claimed, now: Timestamp): Promise<boolean> {
  const set = { state: 'done', done_at: now, error: null } as const;
  return (await db.update(Delivery, { delivery_id, fence, state: 'open' }, set)).affected === 1;
}

/** Returns the statement that marks deliveries as done; their receivers must have given the same response. */
export function doneStatement(results: readonly AttemptResult[]): Sql {
  const [first] = results;
  const { status, answer }: Report = first?.report ?? {};
  return sql`UPDATE delivery SET state = 'done', done_at = ${toDatabase(first?.at ?? '')}, error = NULL,
    status = ${status ?? null}, answer = ${keptAnswer(answer)} WHERE state = 'open' AND (${unchanged(results.map(claimOf))})`;
}

/** Returns the statement that stores a failure: another attempt at `next`, or parked without `next`. */
export function retryStatement({ claimed, at, next, error, report: { status, answer } }: AttemptResult): Sql {
  return sql`UPDATE delivery SET state = ${next ? 'open' : 'parked'}, available_at = ${toDatabase(next ?? at)},
    error = ${error}, status = ${status ?? null}, answer = ${keptAnswer(answer)} WHERE state = 'open' AND (${unchanged([claimed])})`;
}

/** Releases claimed deliveries that were not started; they do not count as attempts. */
export async function releaseClaims(db: Db, claimed: readonly Claimed[], now: Timestamp): Promise<void> {
  if (claimed.length === 0) return;
  await db.run(sql`UPDATE delivery SET available_at = ${toDatabase(now)}, attempts = attempts - 1
    WHERE state = 'open' AND (${unchanged(claimed)})`);
}

export async function countWaiting(db: Db): Promise<{ pending: number; parked: number }> {
  const rows = await db.query<{ state: string; n: number }>(
    sql`SELECT state, COUNT(*) AS n FROM delivery WHERE state IN ('open', 'parked') GROUP BY state`,
  );
  const of = (state: string) => Number(rows.find((row) => row.state === state)?.n ?? 0);
  return { pending: of('open'), parked: of('parked') };
}

/** Returns the number of permanently failed deliveries of each subscriber that has some. */
export async function countParked(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ subscriber: string; n: number }>(
    sql`SELECT subscriber, COUNT(*) AS n FROM delivery WHERE state = 'parked' GROUP BY subscriber ORDER BY subscriber`,
  );
  return new Map(rows.map(({ subscriber, n }) => [subscriber, Number(n)]));
}

/** Makes permanently failed deliveries due again, as if they were new; returns how many. */
export function retryParked(db: Db, now: Timestamp): Promise<number> {
  return db.run(sql`UPDATE delivery SET state = 'open', available_at = ${toDatabase(now)}, attempts = 0
    WHERE state = 'parked'`);
}

/** Whether a delivery has been overdue since before this time, which suggests that no process delivers. */
export async function isOverdue(db: Db, before: Timestamp): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT 1 FROM delivery WHERE state = 'open' AND available_at < ${toDatabase(before)} LIMIT 1`,
  );
  return rows.length > 0;
}

const claimOf = ({ claimed }: AttemptResult): Claimed => claimed;

/** Returns the condition for deliveries that were not claimed since. Most share a fence, so it is a lookup by key. */
export function unchanged(deliveries: readonly Pick<Claimed, 'delivery_id' | 'fence'>[]): Sql {
  const pieces = [...Map.groupBy(deliveries, ({ fence }) => fence)].map(([fence, some]) => {
    const ids = listed(some.map((each) => each.delivery_id));
    return sql`(delivery_id IN ${ids} AND fence = ${fence})`;
  });
  return joined(pieces, ' OR ');
}

function keptAnswer(answer: string | undefined): string | null {
  // Databases do not store NUL or unpaired surrogates as text.
  return answer?.slice(0, KEPT_ANSWER).replaceAll('\0', '').toWellFormed() ?? null;
}
