// The delivery log of a receiver, for its operator: list, redeliver, delete.
import { listed, sql, toDatabase, type Context, type Timestamp } from '@keelson/core';
import { joined, type Db } from '@keelson/core/database';
import { fromDatabase } from '@keelson/core/kit';
import type { Database } from '@keelson/core/system';

/** The states of a delivery. */
export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** A delivery with its last attempt. */
export interface LoggedDelivery {
  readonly delivery_id: number;
  readonly event_id: string;
  readonly event: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** The receiver's status for the last attempt, the start of its response, and the error if there was none. */
  readonly response_status: number | null;
  readonly response_body: string | null;
  readonly error: string | null;
  readonly created_at: Timestamp;
  /** For a running attempt: when it is retried if this process dies. */
  readonly next_attempt_at: Timestamp | null;
  readonly delivered_at: Timestamp | null;
}

/** Selects the deliveries to list. */
export interface DeliveryQuery {
  readonly state?: DeliveryState | undefined;
  /** Only deliveries with a smaller id, for the next page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

const stored = { waiting: 'open', delivered: 'done', failed: 'parked' } as const;
const shown: ReadonlyMap<string, DeliveryState> = new Map([
  ['open', 'waiting'],
  ['done', 'delivered'],
  ['parked', 'failed'],
]);

const BATCH = 1000;
const BATCHES = 1000;

interface LogRow {
  delivery_id: number;
  event_id: string;
  state: string;
  attempts: number;
  available_at: string;
  error: string | null;
  status: number | null;
  answer: string | null;
  done_at: string | null;
  name: string;
  at: string;
}

/** Returns a receiver's deliveries, newest first, at a cost independent of the log's length. */
export async function listDeliveries(
  db: Db,
  subscriber: string,
  { state, before, limit }: DeliveryQuery,
): Promise<LoggedDelivery[]> {
  const which = [
    sql`subscriber = ${subscriber}`,
    ...(before === undefined ? [] : [sql`delivery_id < ${before}`]),
    ...(state === undefined ? [] : [sql`state = ${stored[state]}`]),
  ];
  const rows = await db.query<LogRow>(
    sql`SELECT some.*, event.name, event.at FROM (
      SELECT delivery_id, event_id, state, attempts, available_at, error, status, answer, done_at FROM delivery
      WHERE ${joined(which)} ORDER BY delivery_id DESC LIMIT ${limit}) AS some
      JOIN event ON event.event_id = some.event_id ORDER BY some.delivery_id DESC`,
  );
  return rows.map(loggedOf);
}

/** Returns one of a receiver's deliveries; undefined if there is none with this id. */
export async function findDelivery(
  db: Db,
  subscriber: string,
  delivery_id: number,
): Promise<LoggedDelivery | undefined> {
  const [newest] = await listDeliveries(db, subscriber, { before: delivery_id + 1, limit: 1 });
  return newest?.delivery_id === delivery_id ? newest : undefined;
}

/**
 * Makes a delivery due again with all its attempts, whatever its state. If it is in progress, it may be delivered
 * twice. Must be called in a transaction, for an existing delivery.
 */
export async function deliverAgain(ctx: Context, subscriber: string, delivery_id: number): Promise<void> {
  await ctx.db.run(sql`UPDATE delivery SET state = 'open', available_at = ${toDatabase(ctx.now)}, attempts = 0,
    fence = fence + 1, done_at = NULL WHERE delivery_id = ${delivery_id} AND subscriber = ${subscriber}`);
  ctx.afterCommit(() => ctx.app.outbox.nudge([subscriber]));
}

/** Deletes a receiver's deliveries: all, or those that permanently failed before a given time. Returns how many. */
export async function deleteDeliveries(
  database: Database,
  subscriber: string,
  failedBefore?: Timestamp,
): Promise<number> {
  const which = failedBefore
    ? sql`state = 'parked' AND subscriber = ${subscriber} AND available_at < ${toDatabase(failedBefore)}`
    : sql`subscriber = ${subscriber}`;
  let forgotten = 0;
  for (let i = 0; i < BATCHES; i++) {
    const rows = await database.query<{ delivery_id: number }>(
      sql`SELECT delivery_id FROM delivery WHERE ${which} LIMIT ${BATCH}`,
    );
    if (rows.length === 0) break;
    const ids = listed(rows.map((row) => row.delivery_id));
    forgotten += await database.run(sql`DELETE FROM delivery WHERE delivery_id IN ${ids} AND ${which}`);
  }
  return forgotten;
}

function loggedOf(row: LogRow): LoggedDelivery {
  return {
    delivery_id: row.delivery_id,
    event_id: row.event_id,
    event: row.name,
    state: shown.get(row.state) ?? 'failed',
    attempts: row.attempts,
    response_status: row.status,
    response_body: row.answer,
    error: row.error,
    created_at: fromDatabase(row.at),
    next_attempt_at: row.state === 'open' ? fromDatabase(row.available_at) : null,
    delivered_at: row.done_at === null ? null : fromDatabase(row.done_at),
  };
}
