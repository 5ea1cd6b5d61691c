// The engine for MySQL and MariaDB: pooled connections with deadlines, and a circuit breaker for an unresponsive server
// (ME-06).
import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeout } from '@keelson/kit/timeout.ts';
import mysql, { type ConnectionOptions, type Pool } from 'mysql2';
import type { DataSourceOptions } from 'typeorm';
import { translator } from '../database-error.ts';
import { entitiesOn } from '../schema/entity.ts';
import { Source } from '../schema/source.ts';
import type { Engine } from '../transaction/database-link.ts';
import { convertOurselves } from '../transaction/manager.ts';
import { breaker } from './breaker.ts';
import { createAsk, MOST_PREPARED } from './mysql-ask.ts';
import { acquire, acquireMs, type Connections, type MysqlOptions, type MysqlParts } from './mysql-link.ts';
import { openNodes } from './mysql-nodes.ts';
import { inspectServer, setSession, typeormCredentials, type MysqlServer } from './mysql-server.ts';

const PING_SECONDS = 1;
/** Maximum wait for the server to close its connections. */
const CLOSE_MS = 1000;
/** Maximum queued callers per pooled connection. */
const QUEUE_PER_CONNECTION = 20;

/** Connects and checks the server's settings. Acquiring a connection and executing a statement both have a deadline. */
export async function openMysql(options: MysqlOptions): Promise<Engine> {
  const { beside } = options;
  const nodes = beside?.nodes ?? (await openNodes(options));
  const server =
    beside ??
    (await onceMore(() => inspectServer(nodes.credentials(), options)).catch((error: unknown) => {
      nodes.close();
      throw error;
    }));
  const connections: Connections = { pool: undefined, all: new Set(), idle: new Set() };
  const sourceOptions: DataSourceOptions = {
    type: server.mariadb ? 'mariadb' : 'mysql',
    driver: {
      createPool: (given: ConnectionOptions) =>
        watchedPool({ ...given, stream: nodes.connect }, connections, server, options),
    },
    ...typeormCredentials(nodes.credentials()),
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
    entities: options.described?.options.entities ?? entitiesOn(server.mariadb ? 'mariadb' : 'mysql', options.tables),
    logging: false,
  };
  const source = new Source(sourceOptions, options.described);
  convertOurselves(source);
  await onceMore(() => source.initialize());
  if (!connections.pool) throw new Error('TypeORM did not create a pool');
  const guard = breaker({
    probe: nodes.check,
    onOpen: () => {
      options.log.warn({}, 'The database is not responding; rejecting requests until it recovers');
      // Idle connections are dead too. Left in the pool, each would cost its next caller a timeout.
      for (const each of connections.idle) {
        connections.all.delete(each);
        each.destroy();
      }
      connections.idle.clear();
    },
    onRecovery: () => options.log.warn({}, 'The database is responding again'),
  });
  const parts = {
    ...options,
    options,
    translate: translator(),
    source,
    breaker: guard,
    connections,
    driverPool: connections.pool,
    nodes,
  };
  return engine({ ...parts, ask: createAsk(server) }, server);
}

/** Connects, and once more after a timeout: a process that was suspended sees its timeout before its connection. */
async function onceMore<R>(connect: () => Promise<R>): Promise<R> {
  try {
    return await connect();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT') return connect();
    throw error;
  }
}

function engine(parts: MysqlParts, { mariadb, cluster }: MysqlServer): Engine {
  return {
    dialect: 'mysql',
    mariadb,
    cluster,
    source: parts.source,
    acquire: () => acquire(parts),
    ping: () => ping(parts),
    nodes: parts.nodes,
    close: async () => {
      parts.breaker.close();
      if (!parts.options.beside) parts.nodes.close();
      // Fails if the server closes a connection first.
      const closed = parts.source.destroy().catch(ignore);
      await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]);
      for (const each of parts.connections.all) each.destroy();
    },
  };
}

/** Handles errors of lost connections. The caller of a statement also receives them. */
function ignore(): void {}

async function ping(parts: MysqlParts): Promise<boolean> {
  try {
    const connection = await acquire(parts);
    try {
      await withTimeout(
        PING_SECONDS,
        () => connection.execute({ text: 'SELECT 1', params: [] }),
        'No response to a ping',
      );
      return true;
    } finally {
      await connection.release();
    }
  } catch {
    return false;
  }
}

function watchedPool(
  given: ConnectionOptions,
  connections: Connections,
  server: MysqlServer,
  options: MysqlOptions,
): Pool {
  const { all, idle } = connections;
  const pool = mysql.createPool(given);
  connections.pool = pool;
  pool.on('connection', (each) => {
    all.add(each);
    // The running statement receives the error too. An unhandled 'error' event would crash the process.
    each.on('error', ignore);
    each.on('end', () => {
      all.delete(each);
      idle.delete(each);
    });
    setSession(each, server, options);
  });
  pool.on('acquire', (each) => idle.delete(each));
  pool.on('release', (each) => idle.add(each));
  return pool;
}
