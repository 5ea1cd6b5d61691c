// Deliveries as rows: claiming, finishing, failing. A claim moves `available_at` to the end of its lease and raises the
// fence, so an abandoned delivery comes back by itself, and whoever lost it changes 0 rows.
import type { Database, Db } from '../database/db.ts';
import type { Occurrence } from './event.ts';
import { joined, listed, sql, type Sql } from '../database/sql.ts';
import { choice, id, int, json, key, table, text, when } from '../database/table.ts';
import { toDatabase, type Timestamp } from '../time.ts';
import { z } from 'zod';

/** What happened; the ids sort by time. */
export const StoredEvent = table('event', {
  event_id: key(40).primary(),
  name: text(100),
  at: when(),
  data: json(z.unknown()),
});

/** One event for one subscriber. `open` covers waiting and running: a running one is available after its lease. */
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
    done_at: when().nullable(),
  },
  [['state', 'subscriber', 'available_at'], ['event_id']],
);

export interface Claimed {
  readonly delivery_id: number;
  readonly subscriber: string;
  /** This one included. */
  readonly attempts: number;
  readonly fence: number;
  readonly occurrence: Occurrence<unknown>;
}

export interface Lease {
  readonly now: Timestamp;
  readonly until: Timestamp;
}

/** How many subscribers one look covers; each costs a statement. */
const STEPS = 200;

export interface Look {
  readonly due: readonly string[];
  /** Where the next look goes on; '' when everything was seen. */
  readonly after: string;
}

/**
 * Subscribers with something due, in the order of their names, from `after` on. Each step is one look into the index,
 * however long the backlogs and the history are; both databases would read the whole backlog for a GROUP BY.
 */
export async function findDue(db: Db, now: Timestamp, after = ''): Promise<Look> {
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

/** Takes up to `limit` due deliveries of each subscriber, oldest first; nobody else gets them before the lease ends. */
export async function claimDue(
  database: Database,
  wanted: readonly { readonly subscriber: string; readonly limit: number }[],
  lease: Lease,
): Promise<Claimed[]> {
  const rows = await database.transaction(async (tx) => {
    const found: DueRow[] = [];
    for (const { subscriber, limit } of wanted) {
      found.push(...(await tx.query<DueRow>(dueOf(subscriber, limit, toDatabase(lease.now), tx))));
    }
    if (found.length === 0) return found;
    await tx.run(sql`UPDATE delivery SET available_at = ${toDatabase(lease.until)}, fence = fence + 1,
      attempts = attempts + 1 WHERE delivery_id IN ${listed(found.map((row) => row.delivery_id))}`);
    return found;
  });
  return withEvents(database, rows);
}

/** Marks a delivery as done; false when somebody else has claimed it meanwhile. */
export async function finishDelivery(db: Db, claimed: Claimed, now: Timestamp): Promise<boolean> {
  const set = { state: 'done', done_at: now, error: null } as const;
  return (await db.update(Delivery, mine(claimed), set)) === 1;
}

/** Writes down a failure: another attempt at `next`, or none when it is undefined. */
export async function failDelivery(
  db: Db,
  claimed: Claimed,
  failure: { error: string; now: Timestamp; next: Timestamp | undefined },
): Promise<void> {
  const { error, now, next } = failure;
  const set = next === undefined ? ({ state: 'parked', available_at: now } as const) : { available_at: next };
  await db.update(Delivery, mine(claimed), { ...set, error: error.slice(0, 500) });
}

/** Gives back deliveries that nobody has begun; that was no attempt. */
export async function putBack(db: Db, claimed: readonly Claimed[], now: Timestamp): Promise<void> {
  if (claimed.length === 0) return;
  const fences = claimed.map((each) => sql`(delivery_id = ${each.delivery_id} AND fence = ${each.fence})`);
  await db.run(sql`UPDATE delivery SET available_at = ${toDatabase(now)}, attempts = attempts - 1
    WHERE state = 'open' AND (${joined(fences, ' OR ')})`);
}

export async function countWaiting(db: Db): Promise<{ pending: number; parked: number }> {
  const rows = await db.query<{ state: string; n: number }>(
    sql`SELECT state, COUNT(*) AS n FROM delivery WHERE state IN ('open', 'parked') GROUP BY state`,
  );
  const of = (state: string) => Number(rows.find((row) => row.state === state)?.n ?? 0);
  return { pending: of('open'), parked: of('parked') };
}

interface DueRow {
  readonly delivery_id: number;
  readonly event_id: string;
  readonly subscriber: string;
  readonly attempts: number;
  readonly fence: number;
}

const mine = ({ delivery_id, fence }: Claimed) => ({ delivery_id, fence, state: 'open' }) as const;

function dueOf(subscriber: string, limit: number, now: string, db: Db): Sql {
  return sql`SELECT delivery_id, event_id, subscriber, attempts, fence FROM delivery
    WHERE state = 'open' AND subscriber = ${subscriber} AND available_at <= ${now}
    ORDER BY available_at, delivery_id LIMIT ${limit} ${db.dialect === 'mysql' ? sql`FOR UPDATE SKIP LOCKED` : sql``}`;
}

async function withEvents(db: Db, rows: readonly DueRow[]): Promise<Claimed[]> {
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.map((row) => row.event_id))];
  const events = await db.find(StoredEvent, { event_id: ids });
  const byId = new Map(events.map((each) => [each.event_id, each]));
  return rows.flatMap(({ delivery_id, event_id, subscriber, attempts, fence }) => {
    const occurrence = byId.get(event_id);
    return occurrence ? [{ delivery_id, subscriber, attempts: attempts + 1, fence: fence + 1, occurrence }] : [];
  });
}
