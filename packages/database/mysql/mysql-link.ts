// A pooled connection for one unit of work: acquire, execute and release, with a deadline for each.
import { setTimeout as sleep } from 'node:timers/promises';
import { awakeMs } from '@keelson/kit/awake.ts';
import { callWithTimeout } from '@keelson/kit/timeout.ts';
import type { Pool, PoolConnection } from 'mysql2';
import type { DataSource, EntitySchema } from 'typeorm';
import { ConnectionLost, databaseUnavailable, type Translate } from '../database-error.ts';
import type { Sql } from '../statement/sql.ts';
import type { Engine, Link, QueryResult } from '../transaction/database-link.ts';
import type { Breaker } from './breaker.ts';
import { isFatal, queryResult, type Ask } from './mysql-ask.ts';
import type { Nodes } from './mysql-nodes.ts';

export interface MysqlOptions {
  readonly url: string;
  readonly tables: readonly EntitySchema[];
  readonly log: { warn(o: object, msg: string): void };
  readonly pool: number;
  readonly deadlineMs: number;
  /** The server refuses writes in every session. */
  readonly readOnly?: boolean | undefined;
  /** An engine with its own pool on the same server: both use the same node. */
  readonly beside?: Engine | undefined;
  /** A source with the same tables, to reuse its metadata. */
  readonly described?: DataSource | undefined;
  readonly onStatement: (text: string) => void;
}

export interface MysqlParts extends MysqlOptions {
  readonly options: MysqlOptions;
  readonly nodes: Nodes;
  readonly translate: Translate;
  readonly source: DataSource;
  readonly breaker: Breaker;
  readonly connections: Connections;
  /** TypeORM's pool, used directly: a query runner costs as much as a short statement. */
  readonly driverPool: Pool;
  readonly ask: Ask;
}

export interface Connections {
  pool: Pool | undefined;
  readonly all: Set<PoolConnection>;
  /** Connections idle in the pool. */
  readonly idle: Set<PoolConnection>;
}

/** Returns the share of the deadline for acquiring a connection; the rest is left for the first statement. */
export function acquireMs({ deadlineMs }: { readonly deadlineMs: number }): number {
  return Math.ceil(deadlineMs * 0.4);
}

/**
 * Acquires a connection within its share of the deadline, from another node if the one in use has failed.
 * @throws unavailable()
 */
export async function acquire(parts: MysqlParts): Promise<Link> {
  const { nodes, deadlineMs } = parts;
  const since = awakeMs();
  for (;;) {
    await nodes.settled();
    const node = nodes.address();
    try {
      return await acquireFrom(parts, since);
    } catch (error) {
      const late = awakeMs() - since > deadlineMs * LATEST_CHANGE;
      if (late) throw error;
      if (await nodes.check()) {
        // A node that is ready but did not respond in time is busy.
        if (node === nodes.address() && !(error instanceof ConnectionLost)) throw error;
      } else {
        if (!nodes.several) throw error;
        parts.breaker.check();
        // None is ready at this moment, or was too busy to say so: ask again while there is time.
        await sleep(ASK_AGAIN_MS);
      }
    }
  }
}

const ASK_AGAIN_MS = 50;
/** Share of the deadline after which no other node is tried. */
const LATEST_CHANGE = 0.7;

async function acquireFrom(parts: MysqlParts, since: number): Promise<Link> {
  parts.breaker.check();
  const left = parts.deadlineMs - (awakeMs() - since);
  const ms = Math.max(1, Math.min(acquireMs(parts), left));
  try {
    const connection = await callWithTimeout<PoolConnection>((done) => parts.driverPool.getConnection(done), {
      ms,
      error: () => noAnswerWithin(ms),
      onTimeout: parts.breaker.missed,
      onLateResult: giveBack,
      interrupter: parts.breaker,
    });
    return link(parts, connection, since);
  } catch (error) {
    throw parts.translate(error, 'connect');
  }
}

function giveBack(connection: PoolConnection): void {
  connection.release();
}

function noAnswerWithin(ms: number): Error {
  return databaseUnavailable(`No response within ${Math.round(ms)} ms`);
}

function link(parts: MysqlParts, connection: PoolConnection, since: number): Link {
  let broken = false;
  let first = true;
  const destroy = () => {
    broken = true;
    parts.connections.all.delete(connection);
    connection.destroy();
  };
  const onTimeout = () => {
    parts.breaker.missed();
    destroy();
  };
  const execute = async (statement: Sql): Promise<QueryResult> => {
    if (broken) throw databaseUnavailable('The connection is closed');
    parts.onStatement(statement.text);
    const ms = first ? parts.deadlineMs - (awakeMs() - since) : parts.deadlineMs;
    first = false;
    try {
      const limit = { ms, error: () => noAnswerWithin(ms), onTimeout };
      const raw = await callWithTimeout((done) => parts.ask(connection, statement, done), limit);
      parts.breaker.answered();
      return queryResult(raw);
    } catch (error) {
      const problem = parts.translate(error, statement.text);
      if (problem instanceof ConnectionLost) void parts.nodes.check();
      if (isFatal(error) || problem instanceof ConnectionLost) destroy();
      throw problem;
    }
  };
  const plain = async (text: string) => void (await execute({ text, params: [] }));
  return {
    execute,
    begin: () => plain('START TRANSACTION'),
    commit: () => plain('COMMIT'),
    rollback: async () => {
      if (broken) return;
      // If this fails, closing the connection makes the server roll back.
      await plain('ROLLBACK').catch(destroy);
    },
    release: async () => connection.release(),
  };
}
