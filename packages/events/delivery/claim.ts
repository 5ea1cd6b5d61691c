// Claims deliveries. A claim moves `available_at` to the end of the lease and raises the fence: an abandoned delivery
// becomes due again automatically, and updates of the process that lost it match no row.
import type { Database } from '@keelson/database/db.ts';
import { joined, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { fromDatabase, toDatabase, type Timestamp } from '@keelson/kit/time.ts';
import { unchanged, type Claimed } from './delivery.ts';

export interface Wanted {
  readonly subscriber: string;
  readonly limit: number;
}

export interface Lease {
  readonly now: Timestamp;
  readonly until: Timestamp;
}

/** Thrown when another process claimed some of the deliveries first. */
class Contested extends Error {}

/**
 * Claims up to `limit` due deliveries of each subscriber, oldest first. No other process gets them before the lease
 * ends. Takes three round trips, however many there are.
 */
export async function claimDue(database: Database, wanted: readonly Wanted[], lease: Lease): Promise<Claimed[]> {
  try {
    // Try without locks first, which cost more than the rest of the claim: two processes rarely claim the same
    // deliveries.
    return claimedOf(await take(database, wanted, lease, sql``));
  } catch (error) {
    if (!(error instanceof Contested)) throw error;
    // Never reached on SQLite, whose transactions run one at a time.
    return claimedOf(await take(database, wanted, lease, sql`FOR UPDATE SKIP LOCKED`));
  }
}

function take(database: Database, wanted: readonly Wanted[], lease: Lease, lock: Sql): Promise<DueRow[]> {
  return database.transaction(async (tx) => {
    const rows = await tx.query<DueRow>(dueOf(wanted, lease, lock));
    if (rows.length > 0 && (await tx.run(taken(rows, lease))) < rows.length) throw new Contested();
    return rows;
  });
}

interface DueRow {
  readonly delivery_id: number;
  readonly available_at: string;
  readonly subscriber: string;
  readonly attempts: number;
  readonly fence: number;
  readonly event_id: string;
  readonly name: string;
  readonly at: string;
  readonly data: string;
  readonly changed: string | null;
  readonly cause: string | null;
}

/**
 * Selects due deliveries. `lock` applies to deliveries only: locking events would make subscribers of the same event
 * wait.
 */
function dueOf(wanted: readonly Wanted[], lease: Lease, lock: Sql): Sql {
  const now = toDatabase(lease.now);
  const each = wanted.map(
    ({ subscriber, limit }) => sql`SELECT * FROM (
      SELECT delivery_id, available_at, subscriber, attempts, fence, event_id FROM delivery
      WHERE state = 'open' AND subscriber = ${subscriber} AND available_at <= ${now}
      ORDER BY available_at, delivery_id LIMIT ${limit} ${lock}) AS one`,
  );
  return sql`SELECT due.delivery_id, due.available_at, due.subscriber, due.attempts, due.fence, due.event_id,
    event.name, event.at, event.data, event.changed, event.cause
    FROM (${joined(each, ' UNION ALL ')}) AS due JOIN event ON event.event_id = due.event_id`;
}

/** Claims those of the rows that no other process has claimed since they were read. */
function taken(rows: readonly DueRow[], { until }: Lease): Sql {
  return sql`UPDATE delivery SET available_at = ${toDatabase(until)}, fence = fence + 1, attempts = attempts + 1
    WHERE state = 'open' AND (${unchanged(rows)})`;
}

function claimedOf(rows: readonly DueRow[]): Claimed[] {
  return rows.toSorted(byAge).map(({ delivery_id, subscriber, attempts, fence, ...row }) => {
    const { event_id, name, cause } = row;
    const data: unknown = JSON.parse(row.data);
    const changed = row.changed === null ? [] : (JSON.parse(row.changed) as string[]);
    const occurrence = { event_id, name, at: fromDatabase(row.at), data, changed, cause };
    return { delivery_id, subscriber, attempts: attempts + 1, fence: fence + 1, occurrence };
  });
}

function byAge(one: DueRow, other: DueRow): number {
  if (one.available_at !== other.available_at) return one.available_at < other.available_at ? -1 : 1;
  return one.delivery_id - other.delivery_id;
}
