// MySQL and MariaDB: connection settings, deadlines, and what happens when the server stops answering (M6).
import { setTimeout as sleep } from 'node:timers/promises';
import mysql, { type Connection, type ConnectionOptions, type Pool, type PoolConnection } from 'mysql2';
import { createConnection } from 'mysql2/promise';
import { DataSource, type EntitySchema } from 'typeorm';
import { databaseUnavailable, translator, type Translate } from './database-error.ts';
import type { Engine, Link, QueryResult } from './database-link.ts';
import { entitiesOn } from './entity.ts';
import { breaker, type Breaker } from './breaker.ts';
import { callWithTimeout, withTimeout } from '../kit/timeout.ts';
import { createAsk, isFatal, MOST_PREPARED, queryResult, type Ask } from './mysql-ask.ts';
import { convertOurselves } from './manager.ts';
import type { Sql } from './sql.ts';

const PROBE_MS = 700;
const PING_SECONDS = 1;
/** How long closing waits for the server to end the connections. */
const CLOSE_MS = 1000;
/** How many callers may wait for a connection, for each connection of the pool. */
const QUEUE_PER_CONNECTION = 20;
const STRICT = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

export interface MysqlOptions {
  readonly url: string;
  readonly tables: readonly EntitySchema[];
  readonly log: { warn(o: object, msg: string): void };
  readonly pool: number;
  readonly deadlineMs: number;
  readonly onStatement: (text: string) => void;
}

interface Server {
  readonly mariadb: boolean;
}

interface Shared extends MysqlOptions {
  readonly translate: Translate;
  readonly source: DataSource;
  readonly breaker: Breaker;
  readonly connections: Connections;
  /** TypeORM's pool, used directly: a query runner costs as much as a short statement. */
  readonly driverPool: Pool;
  readonly ask: Ask;
}

interface Connections {
  pool: Pool | undefined;
  readonly all: Set<PoolConnection>;
  /** Those that lie unused in the pool. */
  readonly idle: Set<PoolConnection>;
}

/** Connects and checks the server's settings. Connections and statements of the engine have a deadline. */
export async function openMysql(options: MysqlOptions): Promise<Engine> {
  const credentials = readUrl(options.url);
  const server = await inspect(credentials, options);
  const connections: Connections = { pool: undefined, all: new Set(), idle: new Set() };
  const source = new DataSource({
    type: server.mariadb ? 'mariadb' : 'mysql',
    driver: { createPool: (given: ConnectionOptions) => watchedPool(given, connections, server, options) },
    ...typeormCredentials(credentials),
    charset: 'utf8mb4_unicode_ci',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: false,
    connectTimeout: acquireMs(options),
    poolSize: options.pool,
    extra: {
      decimalNumbers: true,
      maxPreparedStatements: MOST_PREPARED,
      queueLimit: options.pool * QUEUE_PER_CONNECTION,
    },
    entities: entitiesOn(server.mariadb ? 'mariadb' : 'mysql', options.tables),
    invalidWhereValuesBehavior: { null: 'sql-null', undefined: 'throw' },
    logging: false,
  });
  convertOurselves(source);
  await source.initialize();
  if (!connections.pool) throw new Error('TypeORM made no pool');
  const guard = breaker({
    probe: () => answers(credentials),
    onOpen: () => {
      options.log.warn({}, 'The database does not answer; refusing requests until it does');
      // Idle connections are as dead as the busy ones; left in the pool, each would cost its next user a timeout.
      for (const each of connections.idle) {
        connections.all.delete(each);
        each.destroy();
      }
      connections.idle.clear();
    },
    onRecovery: () => options.log.warn({}, 'The database answers again'),
  });
  const shared = {
    ...options,
    translate: translator(),
    source,
    breaker: guard,
    connections,
    driverPool: connections.pool,
  };
  return engine({ ...shared, ask: createAsk(server) }, server);
}

function engine(shared: Shared, { mariadb }: Server): Engine {
  return {
    dialect: 'mysql',
    mariadb,
    source: shared.source,
    acquire: () => acquire(shared),
    ping: () => ping(shared),
    close: async () => {
      shared.breaker.close();
      await Promise.race([shared.source.destroy(), sleep(CLOSE_MS, undefined, { ref: false })]);
      for (const each of shared.connections.all) each.destroy();
    },
  };
}

/** The part of the deadline for getting a connection; the rest is left for the first statement. */
function acquireMs({ deadlineMs }: { readonly deadlineMs: number }): number {
  return Math.ceil(deadlineMs * 0.4);
}

async function acquire(shared: Shared): Promise<Link> {
  shared.breaker.check();
  const since = performance.now();
  const ms = acquireMs(shared);
  try {
    const connection = await callWithTimeout<PoolConnection>((done) => shared.driverPool.getConnection(done), {
      ms,
      error: () => noAnswerWithin(ms),
      onTimeout: shared.breaker.missed,
      onLateResult: giveBack,
      interrupter: shared.breaker,
    });
    return link(shared, connection, since);
  } catch (error) {
    throw shared.translate(error, 'connect');
  }
}

function giveBack(connection: PoolConnection): void {
  connection.release();
}

function noAnswerWithin(ms: number): Error {
  return databaseUnavailable(`No answer within ${Math.round(ms)} ms`);
}

/** For errors that the caller of the statement gets anyway. */
function ignore(): void {}

function link(shared: Shared, connection: PoolConnection, since: number): Link {
  let broken = false;
  let first = true;
  const destroy = () => {
    broken = true;
    shared.connections.all.delete(connection);
    connection.destroy();
  };
  const onTimeout = () => {
    shared.breaker.missed();
    destroy();
  };
  const execute = async (statement: Sql): Promise<QueryResult> => {
    if (broken) throw databaseUnavailable('The connection is closed');
    shared.onStatement(statement.text);
    const ms = first ? shared.deadlineMs - (performance.now() - since) : shared.deadlineMs;
    first = false;
    try {
      const limit = { ms, error: () => noAnswerWithin(ms), onTimeout };
      const raw = await callWithTimeout((done) => shared.ask(connection, statement, done), limit);
      shared.breaker.answered();
      return queryResult(raw);
    } catch (error) {
      if (isFatal(error)) destroy();
      throw shared.translate(error, statement.text);
    }
  };
  const plain = async (text: string) => void (await execute({ text, params: [] }));
  return {
    execute,
    begin: () => plain('START TRANSACTION'),
    commit: () => plain('COMMIT'),
    rollback: async () => {
      if (broken) return;
      // If that fails, closing the connection makes the server roll back.
      await plain('ROLLBACK').catch(destroy);
    },
    release: async () => connection.release(),
  };
}

async function ping(shared: Shared): Promise<boolean> {
  try {
    const connection = await acquire(shared);
    try {
      await withTimeout(
        PING_SECONDS,
        () => connection.execute({ text: 'SELECT 1', params: [] }),
        'No answer to a ping',
      );
      return true;
    } finally {
      await connection.release();
    }
  } catch {
    return false;
  }
}

async function answers(credentials: ConnectionOptions): Promise<boolean> {
  const connection = mysql.createConnection({ ...credentials, connectTimeout: PROBE_MS });
  // An 'error' event without a listener would end the process.
  connection.on('error', ignore);
  const answer = new Promise<boolean>((resolve) => {
    connection.query('SELECT 1', (error) => resolve(!error));
  });
  try {
    return await withTimeout(PROBE_MS / 1000, () => answer, 'No answer to a probe');
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}

function watchedPool(given: ConnectionOptions, connections: Connections, server: Server, options: MysqlOptions): Pool {
  const { all, idle } = connections;
  const pool = mysql.createPool(given);
  connections.pool = pool;
  pool.on('connection', (each) => {
    all.add(each);
    // The statement that runs gets the error too; an 'error' event without a listener would end the process.
    each.on('error', ignore);
    each.on('end', () => {
      all.delete(each);
      idle.delete(each);
    });
    prepare(each, server, options);
  });
  pool.on('acquire', (each) => idle.delete(each));
  pool.on('release', (each) => idle.add(each));
  return pool;
}

// Sent before the connection's first statement. The server's own limits for lock waits and statements end a little
// before our deadline: then only the statement fails, and the connection can be kept.
function prepare(connection: Connection, { mariadb }: Server, { deadlineMs }: MysqlOptions): void {
  const ms = Math.floor(deadlineMs * 0.85);
  const limit = mariadb ? `max_statement_time = ${ms / 1000}` : `max_execution_time = ${ms}`;
  const settings = [`sql_mode = '${STRICT}'`, `time_zone = '+00:00'`, 'innodb_lock_wait_timeout = 1', limit];
  const fail = (error: unknown) => {
    if (error) connection.destroy();
  };
  connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED', fail);
  connection.query(`SET SESSION ${settings.join(', SESSION ')}`, fail);
}

async function inspect(credentials: ConnectionOptions, options: MysqlOptions): Promise<Server> {
  const connection = await createConnection({ ...credentials, connectTimeout: options.deadlineMs });
  try {
    const [rows] = await connection.query<mysql.RowDataPacket[]>(
      `SELECT VERSION() AS version, @@GLOBAL.innodb_flush_log_at_trx_commit AS flush,
        @@GLOBAL.log_bin AS binlog, @@GLOBAL.sync_binlog AS sync, @@GLOBAL.sql_mode AS mode`,
    );
    const [row] = rows;
    if (!row) throw new Error('The server does not tell its version');
    warnUnsafe({ flush: row['flush'], binlog: row['binlog'], sync: row['sync'], mode: String(row['mode']) }, options);
    return { mariadb: /mariadb/i.test(String(row['version'])) };
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

function warnUnsafe({ flush, binlog, sync, mode }: Settings, { log }: MysqlOptions): void {
  if (Number(flush) !== 1) {
    const message = 'innodb_flush_log_at_trx_commit is not 1: A POWER CUT WILL LOSE WRITES THAT WERE ACKNOWLEDGED';
    log.warn({ innodb_flush_log_at_trx_commit: flush }, message);
  }
  if (Number(binlog) === 1 && Number(sync) !== 1) {
    log.warn({ sync_binlog: sync }, 'sync_binlog is not 1: after a power cut the binary log may miss committed writes');
  }
  if (!/STRICT_(ALL|TRANS)_TABLES/.test(mode)) {
    log.warn({ sql_mode: mode }, 'The server is not in strict mode; our connections are, other programs are not');
  }
}

function readUrl(url: string): ConnectionOptions {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const database = decodeURIComponent(pathname.slice(1));
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    ...(database && { database }),
    ...(searchParams.get('ssl') === 'true' && { ssl: {} }),
  };
}

function typeormCredentials({ host, port, user, password, database, ssl }: ConnectionOptions) {
  return { host, port, username: user, password, database, ssl };
}
