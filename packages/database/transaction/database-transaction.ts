// A single transaction on one connection. It always ends in the same order: appended rows, commit, callbacks.
import { Problem } from '@keelson/kit/problem.ts';
import { newId } from '@keelson/kit/random.ts';
import { ConnectionLost, LostTransaction } from '../database-error.ts';
import type { Transaction, TransactionOptions } from '../db.ts';
import { quoted, type Sql } from '../statement/sql.ts';
import { valuesOf, type Statements } from '../statement/statement.ts';
import type { Marks } from './commit-mark.ts';
import { rowMethods, type Engine, type Execute, type How, type QueryResult } from './database-link.ts';
import { lazyManager } from './manager.ts';
import { guarded, newUnit, refuseLate, whileItWorks, type Unit } from './transaction-unit.ts';

interface Parts {
  readonly engine: Engine;
  readonly statements: Statements;
  /** Undefined on SQLite, where no response can be lost. */
  readonly marks: Marks | undefined;
  readonly how: TransactionOptions | undefined;
}

export interface Outcome<R> {
  readonly result: R;
  readonly callbacks: readonly (() => void)[];
  /** The response to the commit was lost: check the mark before using the result. */
  readonly unsure: { readonly mark: string; readonly cause: Error } | undefined;
}

/**
 * Runs `work` once in a transaction.
 * @throws whatever `work` throws, after a rollback; `LostTransaction` if the transaction can be retried
 */
export async function runTransaction<R>(
  { engine, statements, marks, how }: Parts,
  work: (tx: Transaction) => Promise<R>,
): Promise<Outcome<R>> {
  const unit = newUnit(engine, await engine.acquire());
  try {
    // SQLite writers queue here rather than halfway through the work. MySQL begins with the first write or lock; under
    // READ COMMITTED that does not affect earlier reads.
    const alone = engine.dialect === 'sqlite';
    if (alone) await begin(unit);
    const run = () => work(handle(unit, statements));
    const result = await (alone && how?.notIdle ? whileItWorks(unit, run) : run());
    for (let each = unit.before.shift(); each; each = unit.before.shift()) await each();
    if (unit.dead) throw unit.dead;
    return { result, callbacks: unit.callbacks, unsure: await commitMarked(unit, statements, marks) };
  } catch (error) {
    unit.ended = true;
    if (unit.open) await unit.link.rollback();
    const reason = unit.dead ?? error;
    // Without a commit, nothing of it can persist.
    throw reason instanceof ConnectionLost ? new LostTransaction(reasonOf(reason), false) : reason;
  } finally {
    await unit.link.release();
  }
}

function handle(unit: Unit, statements: Statements): Transaction {
  const perform: Execute = (statement, how) => execute(unit, statement, how);
  return {
    ...rowMethods(unit.engine.dialect, statements, perform, lazyManager(unit.engine.source, perform, true)),
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
  if (!unit.begun && unit.engine.mariadb && !statement.often) return beginWith(unit, statement, how);
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
    // If BEGIN shared a round trip with another statement that failed, no transaction is open.
  } while (unit.begun === undefined);
}

// MariaDB accepts START TRANSACTION and the first statement in one round trip. On failure we cannot tell whether the
// transaction began. Nothing has run in it, so the next statement begins a new one.
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

// Commits a transaction: appended rows and last statements go with the commit, in one round trip where possible.

/**
 * Larger commits are sent as several statements, because the server limits the packet size. Frequent statements are
 * prepared separately.
 */
const MOST_CHARACTERS = 2_000_000;

/** Commits, with a mark if anything was written. Returns the mark if it is unknown whether the commit succeeded. */
async function commitMarked(
  unit: Unit,
  statements: Statements,
  marks: Marks | undefined,
): Promise<Outcome<0>['unsure']> {
  unit.ended = true;
  if (!marks || unit.writes === 0) return commit(unit, statements).then(() => undefined);
  const mark = newId();
  unit.last.push(...marks.store(mark));
  try {
    await commit(unit, statements);
    marks.answered(mark);
    return undefined;
  } catch (error) {
    // A cluster may report a conflict for a transaction that it then commits after all.
    const unsure = error instanceof Problem || (error instanceof LostTransaction && unit.engine.cluster);
    if (!unsure) throw error;
    await unit.link.rollback();
    return { mark, cause: error };
  }
}

const reasonOf = ({ message, cause }: Problem) => (cause instanceof Error ? cause.message : message);

/** Sends the remaining statements and commits. */
async function commit(unit: Unit, statements: Statements): Promise<void> {
  const appended = [...unit.appended].flatMap(([table, rows]) => statements.insert(table, rows));
  const pieces = [...unit.deferred, ...appended, ...unit.last];
  if (pieces.length === 0 && !unit.open) return;
  const small = !pieces.some((each) => each.often) && sizeOf(pieces) < MOST_CHARACTERS;
  if (unit.engine.mariadb && small) return commitWith(unit, pieces);
  if (!unit.begun) await guarded(unit, () => unit.link.begin());
  unit.open = true;
  for (const each of pieces) await guarded(unit, () => unit.link.execute(each));
  await guarded(unit, () => unit.link.commit());
}

// Does the same in one round trip: a failing statement ends the block before COMMIT.
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
