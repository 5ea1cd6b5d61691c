// One statement to the server and its result, straight through the driver: TypeORM's layers, and the stack that mysql2's
// promises capture, cost more than parsing the result.
import type { PoolConnection } from 'mysql2';
import type { QueryResult } from './database-link.ts';
import type { Callback } from '../kit/timeout.ts';
import type { Sql } from './sql.ts';

export type Ask = (connection: PoolConnection, statement: Sql, done: Callback<unknown>) => void;

/** A statement sent more often than this is prepared from then on, once per connection. */
const OFTEN = 20;
const MOST_REMEMBERED = 2000;
/** Longer texts are prepared only when their maker says that they come often. */
const LONGEST = 8000;
/** Prepared statements kept per connection; the server's default limit is 16,382 for all connections together. */
export const MOST_PREPARED = 250;

/**
 * Sends statements as text, and as prepared statements when they come often: the server then parses them once, which
 * saves a fifth of a list's cost. MySQL gets text only: it refuses a number for a prepared `LIMIT ?`.
 */
export function createAsk({ mariadb }: { readonly mariadb: boolean }): Ask {
  const timesSent = new Map<string, number>();
  const isOften = (text: string): boolean => {
    const times = (timesSent.get(text) ?? 0) + 1;
    if (times > OFTEN) return true;
    if (timesSent.size >= MOST_REMEMBERED) timesSent.clear();
    timesSent.set(text, times);
    return false;
  };
  return (connection, { text, params, often }, done) => {
    if (mariadb && (often || (text.length <= LONGEST && isOften(text))))
      connection.execute(text, [...params] as never[], done);
    else connection.query(text, [...params], done);
  };
}

/** mysql2 answers rows, or a header without rows; for a compound statement that returns rows, `[rows, header]`. */
export function queryResult(raw: unknown): QueryResult {
  if (Array.isArray(raw)) {
    const rows: Record<string, unknown>[] = Array.isArray(raw[0]) ? raw[0] : raw;
    return { reads: true, rows, affected: rows.length, insertId: 0 };
  }
  const { affectedRows = 0, insertId = 0 } = raw as { affectedRows?: number; insertId?: number };
  return { reads: false, rows: [], affected: affectedRows, insertId };
}

/** Whether this error has ended the connection. */
export function isFatal(error: unknown): boolean {
  const inner = error instanceof Error && 'driverError' in error ? error.driverError : error;
  return typeof inner === 'object' && inner !== null && 'fatal' in inner && inner.fatal === true;
}
