// Detects MySQL or MariaDB, checks that the server's settings are safe, and configures our sessions.
import { isIP } from 'node:net';
import type { Connection, ConnectionOptions, RowDataPacket } from 'mysql2';

const STRICT = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

export interface MysqlServer {
  readonly mariadb: boolean;
  /** True for a node of a Galera cluster. */
  readonly cluster: boolean;
}

export interface InspectOptions {
  readonly deadlineMs: number;
  readonly log: { warn(o: object, msg: string): void };
}

/**
 * Configures the session before the connection's first statement. The server's limits for lock waits and statements
 * expire slightly before our deadline, so only the statement fails and the connection survives.
 */
export function setSession(
  connection: Connection,
  { mariadb, cluster }: MysqlServer,
  { deadlineMs, readOnly = false }: { readonly deadlineMs: number; readonly readOnly?: boolean | undefined },
): void {
  const ms = Math.floor(deadlineMs * 0.85);
  const limit = mariadb ? `max_statement_time = ${ms / 1000}` : `max_execution_time = ${ms}`;
  const settings = [`sql_mode = '${STRICT}'`, `time_zone = '+00:00'`, 'innodb_lock_wait_timeout = 1', limit];
  // A statement that the server retries on its own has already sent the rows of the first attempt.
  if (cluster) settings.push('wsrep_retry_autocommit = 0');
  const fail = (error: unknown) => {
    if (error) connection.destroy();
  };
  const mode = readOnly ? ', READ ONLY' : '';
  connection.query(`SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED${mode}`, fail);
  connection.query(`SET SESSION ${settings.join(', SESSION ')}`, fail);
}

/** Detects the server type, and warns about settings that risk data loss. */
export async function inspectServer(credentials: ConnectionOptions, options: InspectOptions): Promise<MysqlServer> {
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection({ ...credentials, connectTimeout: options.deadlineMs });
  try {
    const [rows] = await connection.query<RowDataPacket[]>(
      `SELECT VERSION() AS version, @@GLOBAL.innodb_flush_log_at_trx_commit AS flush,
        @@GLOBAL.log_bin AS binlog, @@GLOBAL.sync_binlog AS sync, @@GLOBAL.sql_mode AS mode`,
    );
    const [row] = rows;
    if (!row) throw new Error('The server does not report its version');
    warnUnsafe({ flush: row['flush'], binlog: row['binlog'], sync: row['sync'], mode: String(row['mode']) }, options);
    const [wsrep] = await connection.query<RowDataPacket[]>(`SHOW GLOBAL VARIABLES LIKE 'wsrep_on'`);
    return { mariadb: /mariadb/i.test(String(row['version'])), cluster: wsrep[0]?.['Value'] === 'ON' };
  } finally {
    connection.destroy();
  }
}

interface Settings {
  readonly flush: unknown;
  readonly binlog: unknown;
  readonly sync: unknown;
  readonly mode: string;
}

function warnUnsafe({ flush, binlog, sync, mode }: Settings, { log }: InspectOptions): void {
  if (Number(flush) !== 1) {
    const message = 'innodb_flush_log_at_trx_commit is not 1: A POWER FAILURE WILL LOSE ACKNOWLEDGED WRITES';
    log.warn({ innodb_flush_log_at_trx_commit: flush }, message);
  }
  if (Number(binlog) === 1 && Number(sync) !== 1) {
    log.warn(
      { sync_binlog: sync },
      'sync_binlog is not 1: after a power failure the binary log may lack committed writes',
    );
  }
  if (!/STRICT_(ALL|TRANS)_TABLES/.test(mode)) {
    log.warn(
      { sql_mode: mode },
      'The server is not in strict mode; Keelson’s connections are, but other clients’ are not',
    );
  }
}

/**
 * Parses `mysql://user:password@host:3306/database?ssl=true`. With `ssl=true`, the certificate of the server must be
 * issued by a trusted authority. A host name must match it too; the driver cannot check an IP address.
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

/** Renames the credentials to TypeORM's option names. */
export function typeormCredentials({ host, port, user, password, database, ssl }: ConnectionOptions) {
  return { host, port, username: user, password, database, ssl };
}
