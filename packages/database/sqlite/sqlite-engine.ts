// SQLite as an engine: each unit of work has its own query runner, and the runners take turns (sqlite-runner.ts).
import { setImmediate as nextTurn } from 'node:timers/promises';
import { withTimeout } from '@keelson/kit/timeout.ts';
import type { DataSource, EntitySchema, QueryRunner } from 'typeorm';
import { translator, type Translate } from '../database-error.ts';
import type { Sql } from '../statement/sql.ts';
import type { Engine, Link, QueryResult } from '../transaction/database-link.ts';
import { openSqlite } from './sqlite.ts';

export interface SqliteOptions {
  readonly file: string;
  readonly tables: readonly EntitySchema[];
  readonly deadlineMs: number;
  readonly onStatement: (text: string) => void;
  readonly image?: Uint8Array | undefined;
  readonly described?: DataSource | undefined;
}

/** Maximum time that consecutive statements block the event loop. */
const YIELD_EVERY_MS = 10;
const PING_SECONDS = 1;

/** Opens a file or ':memory:' as an engine. */
export async function openSqliteEngine(options: SqliteOptions): Promise<Engine> {
  const source = await openSqlite(options.file, options.tables, options.deadlineMs, options.image, options.described);
  const yieldNow = createYield();
  const more = { translate: translator(source.entityMetadatas), onStatement: options.onStatement };
  const acquire = async () => link(source.createQueryRunner(), yieldNow, more);
  return {
    dialect: 'sqlite',
    mariadb: false,
    cluster: false,
    nodes: undefined,
    source,
    acquire,
    ping: async () => {
      const connection = await acquire();
      const ask = () => connection.execute({ text: 'SELECT 1', params: [] });
      return withTimeout(PING_SECONDS, ask, 'No response to a ping').then(
        () => true,
        () => false,
      );
    },
    close: () => source.destroy(),
  };
}

interface More extends Pick<SqliteOptions, 'onStatement'> {
  readonly translate: Translate;
}

/** Yields to the event loop when due. */
type Yield = () => Promise<void> | undefined;

function link(runner: QueryRunner, yieldNow: Yield, { translate, onStatement }: More): Link {
  const translated = async <R>(text: string, work: () => Promise<R>): Promise<R> => {
    onStatement(text);
    try {
      return await work();
    } catch (error) {
      throw translate(error, text);
    }
  };
  let begun = false;
  return {
    execute: ({ text, params }: Sql) =>
      translated(text, async () => {
        await yieldNow();
        const result = await runner.query(text, [...params], true);
        // Yield before the caller processes a long result, so that reading and processing do not block the event loop
        // together.
        await yieldNow();
        return queryResult(result);
      }),
    begin: async () => {
      await translated('BEGIN IMMEDIATE', () => runner.startTransaction());
      begun = true;
    },
    commit: () => translated('COMMIT', () => runner.commitTransaction()),
    rollback: async () => {
      // A caller that never got the connection has nothing to roll back. A failing ROLLBACK would hide the original
      // error.
      if (begun) await translated('ROLLBACK', () => runner.rollbackTransaction());
    },
    release: () => runner.release(),
  };
}

/**
 * Creates a function that yields to the event loop every 10 ms. Node's SQLite is synchronous, so a long run of
 * statements would starve timers and other requests.
 */
function createYield(): Yield {
  let last = performance.now();
  return () => {
    if (performance.now() - last < YIELD_EVERY_MS) return undefined;
    return nextTurn().then(() => void (last = performance.now()));
  };
}

function queryResult({ raw, records, affected }: { raw: unknown; records: unknown[]; affected?: number }): QueryResult {
  if (Array.isArray(raw)) return { reads: true, rows: raw, affected: records.length, insertId: 0 };
  return { reads: false, rows: [], affected: Number(affected ?? 0), insertId: Number(raw) };
}
