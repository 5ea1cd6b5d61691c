// One statement to the server and its answer, straight through the driver: TypeORM's way there, and the stack that
// mysql2's promises capture, cost more than the parsing.
import type { PoolConnection } from 'mysql2';
import type { QueryResult } from './database-link.ts';
import type { Done } from './deadline.ts';
import type { Sql } from './sql.ts';

export type Ask = (connection: PoolConnection, statement: Sql, done: Done<unknown>) => void;

/** A text asked this often is prepared from then on, once per connection. */
const OFTEN = 20;
const MOST_REMEMBERED = 2000;
const LONGEST = 8000;
/** Kept per connection; the server allows 16,382 in all unless told otherwise. */
export const MOST_PREPARED = 250;

/**
 * Asks in plain text, and prepares what comes again and again: the server reads such a statement once, which is a fifth
 * of a list's cost. MySQL gets plain text only: it refuses a prepared `LIMIT ?` with a number.
 */
export function createAsk({ mariadb }: { readonly mariadb: boolean }): Ask {
  const asked = new Map<string, number>();
  const isOften = (text: string): boolean => {
    const times = (asked.get(text) ?? 0) + 1;
    if (times > OFTEN) return true;
    if (asked.size >= MOST_REMEMBERED) asked.clear();
    asked.set(text, times);
    return false;
  };
  return (connection, { text, params }, done) => {
    if (mariadb && text.length <= LONGEST && isOften(text)) connection.execute(text, [...params] as never[], done);
    else connection.query(text, [...params], done);
  };
}

/** mysql2 gives rows, or a header; a compound statement with a result gives [rows, header]. */
export function queryResult(raw: unknown): QueryResult {
  if (Array.isArray(raw)) {
    const rows: Record<string, unknown>[] = Array.isArray(raw[0]) ? raw[0] : raw;
    return { reads: true, rows, affected: rows.length, insertId: 0 };
  }
  const { affectedRows = 0, insertId = 0 } = raw as { affectedRows?: number; insertId?: number };
  return { reads: false, rows: [], affected: affectedRows, insertId };
}

/** The connection is lost with this error. */
export function isFatal(error: unknown): boolean {
  const inner = error instanceof Error && 'driverError' in error ? error.driverError : error;
  return typeof inner === 'object' && inner !== null && 'fatal' in inner && inner.fatal === true;
}
