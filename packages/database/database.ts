// Opens the database: one interface over embedded SQLite and MySQL or MariaDB. TypeORM manages connections and schema.
import { setTimeout as sleep } from 'node:timers/promises';
import { awakeMs } from '@keelson/kit/awake.ts';
import { chance } from '@keelson/kit/random.ts';
import type { DataSource, EntitySchema } from 'typeorm';
import { ConnectionLost, databaseUnavailable, LostTransaction } from './database-error.ts';
import type { Database, Transaction, TransactionOptions } from './db.ts';
import { Table } from './schema/table.ts';
import { openSqliteEngine } from './sqlite/sqlite-engine.ts';
import { statementsFor, type Statements } from './statement/statement.ts';
import { CommitMark, marksOf, type Marks } from './transaction/commit-mark.ts';
import { isPlainRead, rowMethods, type Engine, type Execute } from './transaction/database-link.ts';
import { runTransaction, type Outcome } from './transaction/database-transaction.ts';
import { lazyManager } from './transaction/manager.ts';

const MOST_TRIES = 9;
/** How long MySQL waits for a lock. */
const LOCK_WAIT_MS = 1000;
/** Pause between checks of an unacknowledged commit while the database is down. */
const LOOK_AGAIN_MS = 50;

export interface OpenOptions {
  /** `mysql://user:password@a:3306,b:3306/database`, with `?ssl=true` for TLS; undefined for SQLite. */
  readonly url: string | undefined;
  /** The SQLite file, or ':memory:'. */
  readonly file: string;
  readonly tables: readonly EntitySchema[];
  readonly log: { warn(o: object, msg: string): void };
  /** MySQL pool size (default 10). */
  readonly pool?: number;
  /** Statement timeout in milliseconds (default 2500). */
  readonly deadlineMs?: number;
  /** The server refuses writes in every session: for a read replica. */
  readonly readOnly?: boolean | undefined;
  /** Another handle on the same database, to share its nodes and what is known of its server. */
  readonly beside?: Engine | undefined;
  /** Initial contents of an in-memory SQLite database. For tests only. */
  readonly image?: Uint8Array | undefined;
  /** A source with the same tables, to reuse its metadata. */
  readonly described?: DataSource | undefined;
}

export interface OpenDatabase extends Database {
  readonly source: DataSource;
  readonly mariadb: boolean;
  /** Executes one statement outside a transaction. */
  readonly execute: Execute;
  /** The host and port of the current node; undefined on SQLite. */
  node(): string | undefined;
  /** DATABASE_URL with only the current node; undefined on SQLite. */
  url(): string | undefined;
  /** The declared tables, without the plain entity schemas of plugins. */
  readonly tables: readonly Table[];
  /** Opens the same database with a separate pool, for work that must not wait for connections held by other work. */
  another(pool: number, deadlineMs?: number): Promise<OpenDatabase>;
  /** Hook for tests that count statements. */
  onStatement?: ((text: string) => void) | undefined;
}

/** Opens the database. @throws if it is unreachable or its settings are unsafe */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const { url, file, tables, log, pool = 10, deadlineMs = 2500, readOnly, image, described } = options;
  const onStatement = (text: string) => database.onStatement?.(text);
  const engine = url
    ? // Load the MySQL client only when needed.
      await (
        await import('./mysql/mysql.ts')
      ).openMysql({ url, tables, log, pool, deadlineMs, readOnly, onStatement, described, beside: options.beside })
    : await openSqliteEngine({ file, tables, deadlineMs, onStatement, image, described });
  const statements = statementsFor(engine.dialect);
  const marks = url && tables.includes(CommitMark) ? marksOf(engine, statements) : undefined;
  const perform = autocommit(engine, deadlineMs);
  const database: OpenDatabase = {
    ...rowMethods(engine.dialect, statements, perform, lazyManager(engine.source, perform, false)),
    transaction: (work, how) => transaction({ engine, statements, marks, log, deadlineMs, how }, work),
    ping: engine.ping,
    close: engine.close,
    source: engine.source,
    mariadb: engine.mariadb,
    execute: perform,
    node: () => engine.nodes?.address(),
    url: () => engine.nodes?.url(),
    tables: tables.filter((each) => each instanceof Table),
    another: (few, patienceMs = deadlineMs) =>
      openDatabase({ ...options, pool: few, deadlineMs: patienceMs, beside: engine, described: engine.source }),
    onStatement: undefined,
  };
  return database;
}

/**
 * A single statement is its own transaction, which may also lose a conflict. If the connection is lost, a read is
 * retried, but a write is not, because it may have been executed.
 */
function autocommit(engine: Engine, deadlineMs: number): Execute {
  return (statement) =>
    repeatLost(deadlineMs, async () => {
      const link = await engine.acquire();
      try {
        return await link.execute(statement);
      } catch (error) {
        if (!(error instanceof ConnectionLost) || !isPlainRead(statement.text)) throw error;
        throw new LostTransaction(String(error.cause), false);
      } finally {
        await link.release();
      }
    });
}

interface TransactionParts {
  readonly engine: Engine;
  readonly statements: Statements;
  readonly marks: Marks | undefined;
  readonly log: OpenOptions['log'];
  readonly deadlineMs: number;
  readonly how: TransactionOptions | undefined;
}

async function transaction<R>(parts: TransactionParts, work: (tx: Transaction) => Promise<R>): Promise<R> {
  const until = awakeMs() + parts.deadlineMs;
  const { result, callbacks } = await repeatLost(parts.deadlineMs, async () => {
    const outcome = await runTransaction(parts, work);
    if (outcome.unsure) await lookUp(parts, outcome.unsure, until);
    return outcome;
  });
  for (const each of callbacks) runCallback(each, parts.log);
  return result;
}

/**
 * Returns if a transaction with an unacknowledged commit was committed.
 * @throws LostTransaction if it was not, and no longer can be; the error of the commit if the database cannot tell in
 * time
 */
async function lookUp(
  { marks }: TransactionParts,
  { mark, cause }: NonNullable<Outcome<unknown>['unsure']>,
  until: number,
): Promise<void> {
  for (;;) {
    if (awakeMs() > until) throw cause instanceof LostTransaction ? databaseUnavailable(cause.message) : cause;
    // While the database is down, retry until the deadline.
    const committed = await marks?.isCommitted(mark).catch(() => undefined);
    if (committed) return;
    if (committed === false) throw new LostTransaction(cause.message, false);
    await sleep(LOOK_AGAIN_MS);
  }
}

/**
 * Retries work that the database rolled back because of a conflict.
 * @throws databaseUnavailable() at the deadline
 */
async function repeatLost<R>(deadlineMs: number, work: () => Promise<R>): Promise<R> {
  const since = awakeMs();
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LostTransaction)) throw error;
      const next = awakeMs() - since + (error.waited ? LOCK_WAIT_MS : 0);
      if (tries >= MOST_TRIES || next > deadlineMs) throw databaseUnavailable(error.message);
      // Jitter, so that conflicting transactions do not collide again.
      await sleep(chance() * 5 * 2 ** tries);
    }
  }
}

// A callback error must not reach the caller: the transaction has already committed.
function runCallback(work: () => void, log: OpenOptions['log']): void {
  try {
    work();
  } catch (err) {
    log.warn({ err }, 'An after-commit callback failed');
  }
}
