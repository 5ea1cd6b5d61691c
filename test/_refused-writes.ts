// Makes the database refuse writes to one row, as a row does that breaks a rule.
import type { TestApp } from '@keelson/testing';
import type { ExecutionContext } from 'ava';

/** A row, by the value of one of its columns. */
export interface RefusedRow {
  readonly table: string;
  readonly column: string;
  readonly value: string | number;
  /** The write that is refused: an update of the row, unless given. */
  readonly write?: 'UPDATE' | 'INSERT' | 'DELETE';
}

/** Refuses writes to a row until the test ends, or until the returned function is called. */
export async function refuseWrites(
  t: { teardown(work: () => unknown): void },
  { app }: TestApp,
  { table, column, value, write = 'UPDATE' }: RefusedRow,
): Promise<() => Promise<unknown>> {
  const { database } = app;
  const trigger = `refused_${write.toLowerCase()}_${table}`;
  const is = `${write === 'INSERT' ? 'NEW' : 'OLD'}.${column} = ${typeof value === 'number' ? value : `'${value}'`}`;
  const body =
    database.dialect === 'sqlite'
      ? `WHEN ${is} BEGIN SELECT RAISE(ABORT, 'Refused'); END`
      : `IF ${is} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Refused'; END IF`;
  await database.run({
    text: `CREATE TRIGGER ${trigger} BEFORE ${write} ON ${table} FOR EACH ROW ${body}`,
    params: [],
  });
  const allow = () => database.run({ text: `DROP TRIGGER IF EXISTS ${trigger}`, params: [] });
  t.teardown(allow);
  return allow;
}

/** Runs a job that must fail, and returns its error. */
export async function failing(t: ExecutionContext, { app, expectError }: TestApp, job: string): Promise<string> {
  expectError(new RegExp(`${job}.*job: failed`));
  const result = await app.scheduler.runNow(job);
  t.is(result?.outcome, 'failed');
  return result?.error ?? '';
}
