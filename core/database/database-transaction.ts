// One transaction on one connection. The order of things at its end is the heart of it: rows appended, commit, callbacks.
import { LostTransaction } from './database-error.ts';
import { rowMethods, type Engine, type Execute, type How, type Link, type QueryResult } from './database-link.ts';
import type { Transaction } from './db.ts';
import { lazyManager } from './manager.ts';
import { Problem } from '../kit/problem.ts';
import { quoted, type Sql } from './sql.ts';
import { valuesOf, type Statements } from './statement.ts';
import type { Table } from './table.ts';

/** More than this goes as statements of their own: a packet has a limit. */
const MOST_CHARACTERS = 2_000_000;

interface Unit {
  readonly engine: Engine;
  readonly link: Link;
  /** Settled once the database knows of the transaction. */
  begun: Promise<unknown> | undefined;
  /** A BEGIN may have reached the database. */
  open: boolean;
  ended: boolean;
  /** Why the rest is refused: the database has already rolled everything back, or is gone. */
  dead: Error | undefined;
  writes: number;
  /** Rows that must be there before the next statement. */
  soon: Sql[];
  readonly appended: Map<Table, Record<string, unknown>[]>;
  /** What runs with the commit, after the appended rows. */
  readonly last: Sql[];
  readonly before: (() => Promise<void>)[];
  readonly callbacks: (() => void)[];
}

/**
 * Runs `work` in one transaction, once.
 * @throws what `work` throws, after rolling back; `LostTransaction` when it may be tried again
 */
export async function runTransaction<R>(
  engine: Engine,
  statements: Statements,
  work: (tx: Transaction) => Promise<R>,
): Promise<{ result: R; callbacks: readonly (() => void)[] }> {
  const unit = newUnit(engine, await engine.acquire());
  try {
    // SQLite's writers wait here, not in the middle; MySQL begins with the first statement that writes or locks, which
    // at READ COMMITTED is the same for all reads before it.
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
    soon: [],
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
      unit.soon.push(...statements.insert(table, [valuesOf(row)]));
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
  for (const each of unit.soon.splice(0)) await executeNow(unit, each, { writes: true });
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
    // A beginning that another statement was part of may have failed with it.
  } while (unit.begun === undefined);
}

// MariaDB takes START TRANSACTION and the first statement in one round trip. When that fails, whether it began is not
// known, and nothing has happened in it: the next statement begins anew.
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
  const pieces = [...unit.soon, ...appended, ...unit.last];
  if (pieces.length === 0 && !unit.open) return;
  if (unit.engine.mariadb && sizeOf(pieces) < MOST_CHARACTERS) return commitWith(unit, pieces);
  if (!unit.begun) await guarded(unit, () => unit.link.begin());
  unit.open = true;
  for (const each of pieces) await guarded(unit, () => unit.link.execute(each));
  await guarded(unit, () => unit.link.commit());
}

// The same in one round trip. A statement that fails leaves the block, so COMMIT is not reached.
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

// After a deadlock MySQL has rolled back everything and would run what follows outside of any transaction.
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
