// Commit marks on MySQL. A transaction stores its mark as part of the commit. If the response to the commit is lost,
// the mark tells whether the transaction was committed, and prevents it from being committed later.
import { DuplicateKey, type Database } from '../db.ts';
import { flag, key, table } from '../schema/table.ts';
import { listed, sql, type Sql } from '../statement/sql.ts';
import type { Statements } from '../statement/statement.ts';
import type { Engine } from './database-link.ts';

/** `mark` is a `newId()`. `committed` is false for a transaction that was looked up and must no longer commit. */
export const CommitMark = table('commit_mark', { mark: key(32).primary(), committed: flag() });

/** Number of marks deleted at a time, once their commits are acknowledged. */
const BATCH = 100;
/** A mark is needed for seconds. Those left behind by killed processes are deleted after an hour. */
const KEPT_MS = 3_600_000;

export interface Marks {
  /** Returns the statements that store a mark in its transaction. */
  store(mark: string): Sql[];
  /** Records that the commit was acknowledged, so that its mark can be deleted with a later one. */
  answered(mark: string): void;
  /**
   * Checks whether a transaction committed, waiting if it is about to. If it has not committed, it no longer can.
   * @throws LostTransaction; unavailable() if the database cannot tell
   */
  isCommitted(mark: string): Promise<boolean>;
}

/** Returns the commit marks of a database that has their table. */
export function marksOf(engine: Engine, statements: Statements): Marks {
  const spent: string[] = [];
  const run = async (statement: Sql) => {
    const link = await engine.acquire();
    try {
      return await link.execute(statement);
    } finally {
      await link.release();
    }
  };
  return {
    store(mark) {
      const old = spent.length < BATCH ? [] : [sql`DELETE FROM commit_mark WHERE mark IN ${listed(spent.splice(0))}`];
      return [...statements.insert(CommitMark, [{ mark, committed: true }]), ...old];
    },
    answered: (mark) => void spent.push(mark),
    async isCommitted(mark) {
      const [insert] = statements.insert(CommitMark, [{ mark, committed: false }]);
      try {
        if (insert) await run(insert);
        return false;
      } catch (error) {
        if (!(error instanceof DuplicateKey)) throw error;
      }
      const { rows } = await run(statements.select(CommitMark, { where: { mark } }));
      return statements.rows(CommitMark, rows)[0]?.committed === true;
    },
  };
}

/** Deletes old marks. */
export async function pruneMarks(database: Database): Promise<void> {
  const before = (Date.now() - KEPT_MS).toString(16).padStart(12, '0');
  await database.run(sql`DELETE FROM commit_mark WHERE mark < ${before}`);
}
