// Runs statements on a separate connection outside the pool: the database may be new, or about to be replaced.
import { isIP } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import type { ConnectionOptions, RowDataPacket } from 'mysql2/promise';

/**
 * Parses `mysql://user:password@host:3306/database?ssl=true`. The driver itself reads neither `ssl=true` nor IPv6. The
 * certificate of the server must be issued by a trusted authority. A host name must match it too; the driver cannot check
 * an IP address.
 */
export function readUrl(url: string): ConnectionOptions {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const database = decodeURIComponent(pathname.slice(1));
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    ...(database && { database }),
    ...(searchParams.get('ssl') === 'true' && {
      ssl: { rejectUnauthorized: true, verifyIdentity: isIP(host) === 0 },
    }),
  };
}

/** Returns the address of another database on the same server. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(name)}`;
  return changed.href;
}

/** Quotes a name of MySQL, or a database and a table in it. */
export const quoted = (...names: readonly string[]): string =>
  names.map((each) => `\`${each.replaceAll('`', '``')}\``).join('.');

export function inFile<Result>(file: string, work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

export type Ask = (statement: string, values?: readonly (string | number)[]) => Promise<RowDataPacket[]>;

export async function onServer<Result>(url: string, work: (ask: Ask) => Promise<Result>): Promise<Result> {
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection({ ...readUrl(url), charset: 'utf8mb4_unicode_ci' });
  try {
    return await work(async (statement, values = []) => {
      const [rows] = await connection.query<RowDataPacket[]>(statement, [...values]);
      return rows;
    });
  } finally {
    connection.destroy();
  }
}
