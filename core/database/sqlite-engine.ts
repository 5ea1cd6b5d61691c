// SQLite as an engine: every unit of work has its own runner, and runners take turns (sqlite.ts).
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntitySchema, QueryRunner } from 'typeorm';
import { translator, type Translate } from './database-error.ts';
import type { Engine, Link, QueryResult } from './database-link.ts';
import { withDeadline } from './deadline.ts';
import type { Sql } from './sql.ts';
import { openSqlite } from './sqlite.ts';

export interface SqliteOptions {
  readonly file: string;
  readonly tables: readonly EntitySchema[];
  readonly deadlineMs: number;
  readonly onStatement: (text: string) => void;
}

const BREATH_MS = 10;

/** Opens the file or ':memory:' as an engine. */
export async function openSqliteEngine(options: SqliteOptions): Promise<Engine> {
  const source = await openSqlite(options.file, options.tables, options.deadlineMs);
  const breathe = breather();
  const more = { translate: translator(source.entityMetadatas), onStatement: options.onStatement };
  const acquire = async () => link(source.createQueryRunner(), breathe, more);
  return {
    dialect: 'sqlite',
    mariadb: false,
    source,
    acquire,
    ping: async () => {
      const asked = (await acquire()).execute({ text: 'SELECT 1', params: [] });
      return withDeadline(asked, 1000, () => {}).then(
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

type Breathe = () => Promise<void> | undefined;

function link(runner: QueryRunner, breathe: Breathe, { translate, onStatement }: More): Link {
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
        await breathe();
        return queryResult(await runner.query(text, [...params], true));
      }),
    begin: async () => {
      await translated('BEGIN IMMEDIATE', () => runner.startTransaction());
      begun = true;
    },
    commit: () => translated('COMMIT', () => runner.commitTransaction()),
    rollback: async () => {
      // Whoever waited for the connection in vain has nothing to undo, and must hear of that, not of a ROLLBACK.
      if (begun) await translated('ROLLBACK', () => runner.rollbackTransaction());
    },
    release: () => runner.release(),
  };
}

/**
 * Node's SQLite answers at once, so one long run of statements would let nothing else happen, neither timers nor other
 * requests: every 10 ms they get a turn.
 */
function breather(): Breathe {
  let last = performance.now();
  return () => {
    if (performance.now() - last < BREATH_MS) return undefined;
    return nextTurn().then(() => void (last = performance.now()));
  };
}

function queryResult({ raw, records, affected }: { raw: unknown; records: unknown[]; affected?: number }): QueryResult {
  if (Array.isArray(raw)) return { reads: true, rows: raw, affected: records.length, insertId: 0 };
  return { reads: false, rows: [], affected: Number(affected ?? 0), insertId: Number(raw) };
}
