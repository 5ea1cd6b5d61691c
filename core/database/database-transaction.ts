// One transaction on one connection. It ends in a fixed order: appended rows, commit, callbacks.
import { LostTransaction } from './database-error.ts';
import { rowMethods, type Engine, type Execute, type How, type Link, type QueryResult } from './database-link.ts';
import type { Transaction } from './db.ts';
import { lazyManager } from './manager.ts';
import { Problem } from '../kit/problem.ts';
import { quoted, type Sql } from './sql.ts';
import { valuesOf, type Statements } from './statement.ts';
import type { Table } from './table.ts';

/** Larger commits are sent as several statements, because the server limits the size of a packet. */
const MOST_CHARACTERS = 2_000_000;

interface Unit {
  readonly engine: Engine;
  readonly link: Link;
  /** Resolves once the database has begun the transaction. */
  begun: Promise<unknown> | undefined;
  /** A BEGIN may have reached the database. */
  open: boolean;
  ended: boolean;
  /** The error for all further statements: the database has rolled everything back, or is gone. */
  dead: Error | undefined;
  writes: number;
  /** Inserts to be sent before the next statement. */
  deferred: Sql[];
  readonly appended: Map<Table, Record<string, unknown>[]>;
  /** Statements that run with the commit, after the appended rows. */
  readonly last: Sql[];
  readonly before: (() => Promise<void>)[];
  readonly callbacks: (() => void)[];
}

/**
 * Runs `work` once in a transaction.
 * @throws what `work` throws, after rolling back; `LostTransaction` when it may be tried again
 */
export async function runTransaction<R>(
  engine: Engine,
  statements: Statements,
  work: (tx: Transaction) => Promise<R>,
): Promise<{ result: R; callbacks: readonly (() => void)[] }> {
  const unit = newUnit(engine, await engine.acquire());
  try {
    // SQLite's writers wait for their turn here, not in the middle of the work. MySQL begins with the first statement that
    // writes or locks; at READ COMMITTED that makes no difference to the reads before it.
    if (engine.dialect === 'sqlite') await begin(unit);
    const result = await work(handle(unit, statements));
    for (let each = unit.before.shift(); each; each = unit.before.shift()) await each();
    if (unit.dead) throw unit.dead;
    await commit(unit, statements);
    return { result, callbacks: unit.callbacks };
  } catch (error) {
    unit.ended = true;
    if (unit.open) await unit.link.rollback();
    throw unit.dead ?? error;
  } finally {
    await unit.link.release();
  }
}

function newUnit(engine: Engine, link: Link): Unit {
  return {
    engine,
    link,
    begun: undefined,
    open: false,
    ended: false,
    dead: undefined,
    writes: 0,
    deferred: [],
    appended: new Map(),
    last: [],
    before: [],
    callbacks: [],
  };
}

function handle(unit: Unit, statements: Statements): Transaction {
  const perform: Execute = (statement, how) => execute(unit, statement, how);
  return {
    ...rowMethods(unit.engine.dialect, statements, perform),
    manager: lazyManager(unit.engine.source, perform, true),
    deferInsert: (table, row) => {
      refuseLate(unit);
      unit.deferred.push(...statements.insert(table, [valuesOf(row)]));
      unit.writes++;
    },
    append: (table, row) => {
      refuseLate(unit);
      const list = unit.appended.get(table) ?? [];
      list.push({ ...valuesOf(row) });
      unit.appended.set(table, list);
      unit.writes++;
    },
    last: (statement) => {
      refuseLate(unit);
      unit.last.push(statement);
      unit.writes++;
    },
    beforeCommit: (work) => {
      refuseLate(unit);
      unit.before.push(work);
    },
    afterCommit: (work) => {
      refuseLate(unit);
      unit.callbacks.push(work);
    },
    writes: () => unit.writes,
  };
}

async function execute(unit: Unit, statement: Sql, how: How): Promise<QueryResult> {
  refuseLate(unit);
  if (how.writes && !how.locks) unit.writes++;
  for (const each of unit.deferred.splice(0)) await executeNow(unit, each, { writes: true });
  return executeNow(unit, statement, how);
}

async function executeNow(unit: Unit, statement: Sql, how: How): Promise<QueryResult> {
  if (!how.writes) return guarded(unit, () => unit.link.execute(statement));
  if (!unit.begun && unit.engine.mariadb) return beginWith(unit, statement, how);
  await begin(unit);
  refuseLate(unit);
  return guarded(unit, () => unit.link.execute(statement));
}

async function begin(unit: Unit): Promise<void> {
  unit.open = true;
  do {
    refuseLate(unit);
    unit.begun ??= guarded(unit, () => unit.link.begin());
    await unit.begun;
    // When another statement began the transaction in the same round trip and failed, nothing has begun.
  } while (unit.begun === undefined);
}

// MariaDB takes START TRANSACTION and the first statement in one round trip. If that fails it is not known whether the
// transaction began, but nothing has happened in it, so the next statement begins a new one.
async function beginWith(unit: Unit, statement: Sql, how: How): Promise<QueryResult> {
  unit.open = true;
  const returning = how.generated ? ` RETURNING ${quoted(how.generated)}` : '';
  const first = guarded(unit, () =>
    unit.link.execute({
      text: `BEGIN NOT ATOMIC START TRANSACTION; ${statement.text}${returning}; END`,
      params: statement.params,
    }),
  );
  unit.begun = first.catch(() => {
    unit.begun = undefined;
  });
  const queryResult = await first;
  if (!how.generated) return queryResult;
  return { ...queryResult, insertId: Number(queryResult.rows[0]?.[how.generated]) };
}

async function commit(unit: Unit, statements: Statements): Promise<void> {
  unit.ended = true;
  const appended = [...unit.appended].flatMap(([table, rows]) => statements.insert(table, rows));
  const pieces = [...unit.deferred, ...appended, ...unit.last];
  if (pieces.length === 0 && !unit.open) return;
  if (unit.engine.mariadb && sizeOf(pieces) < MOST_CHARACTERS) return commitWith(unit, pieces);
  if (!unit.begun) await guarded(unit, () => unit.link.begin());
  unit.open = true;
  for (const each of pieces) await guarded(unit, () => unit.link.execute(each));
  await guarded(unit, () => unit.link.commit());
}

// The same in one round trip: a statement that fails ends the block before COMMIT.
async function commitWith(unit: Unit, pieces: readonly Sql[]): Promise<void> {
  if (pieces.length === 0) return guarded(unit, () => unit.link.commit());
  const start = unit.begun ? '' : 'START TRANSACTION; ';
  unit.open = true;
  await unit.begun;
  const text = `BEGIN NOT ATOMIC ${start}${pieces.map((each) => `${each.text}; `).join('')}COMMIT; END`;
  await guarded(unit, () => unit.link.execute({ text, params: pieces.flatMap((each) => each.params) }));
}

function sizeOf(pieces: readonly Sql[]): number {
  let size = 0;
  for (const each of pieces) {
    size += each.text.length;
    for (const value of each.params) size += typeof value === 'string' ? value.length : 8;
  }
  return size;
}

// After a deadlock MySQL has rolled back, and would run further statements outside of any transaction.
async function guarded<R>(unit: Unit, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LostTransaction || error instanceof Problem) unit.dead ??= error;
    throw error;
  }
}

function refuseLate(unit: Unit): void {
  if (unit.dead) throw unit.dead;
  if (unit.ended) throw new Error('The transaction has ended: was something in it not awaited?');
}
