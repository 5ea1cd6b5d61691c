// The state of a running transaction.
import { Problem } from '@keelson/kit/problem.ts';
import { TimeoutError } from '@keelson/kit/timeout.ts';
import { LostTransaction } from '../database-error.ts';
import type { Table } from '../schema/table.ts';
import type { Sql } from '../statement/sql.ts';
import type { Engine, Link } from './database-link.ts';

export interface Unit {
  readonly engine: Engine;
  readonly link: Link;
  /** Resolves once the database has begun the transaction. */
  begun: Promise<unknown> | undefined;
  /** True once a BEGIN may have reached the database. */
  open: boolean;
  ended: boolean;
  /** Thrown for all further statements: the database rolled everything back, or is unavailable. */
  dead: Error | undefined;
  writes: number;
  /** Statements in flight. `statements` counts all sent so far. */
  running: number;
  statements: number;
  /** Inserts to send before the next statement. */
  deferred: Sql[];
  readonly appended: Map<Table, Record<string, unknown>[]>;
  /** Statements that run with the commit, after the appended rows. */
  readonly last: Sql[];
  readonly before: (() => Promise<void>)[];
  readonly callbacks: (() => void)[];
}

export function newUnit(engine: Engine, link: Link): Unit {
  return {
    engine,
    link,
    begun: undefined,
    open: false,
    ended: false,
    dead: undefined,
    writes: 0,
    running: 0,
    statements: 0,
    deferred: [],
    appended: new Map(),
    last: [],
    before: [],
    callbacks: [],
  };
}

// After a deadlock MySQL has already rolled back, and would run further statements outside any transaction.
export async function guarded<R>(unit: Unit, work: () => Promise<R>): Promise<R> {
  unit.running++;
  unit.statements++;
  try {
    return await work();
  } catch (error) {
    if (error instanceof LostTransaction || error instanceof Problem) unit.dead ??= error;
    throw error;
  } finally {
    unit.running--;
  }
}

export function refuseLate(unit: Unit): void {
  if (unit.dead) throw unit.dead;
  if (unit.ended) throw new Error('The transaction has ended: was something in it not awaited?');
}

const LOOK_EVERY_MS = 500;
const MOST_IDLE_LOOKS = 4;

/**
 * Runs the work of a transaction that blocks other writers, as every transaction does on SQLite. Aborts one that waits
 * for something other than the database before queued callers time out.
 * @throws TimeoutError after two seconds without a statement. A busy process checks less often, so its delays do not
 * count.
 */
export function whileItWorks<R>(unit: Unit, work: () => Promise<R>): Promise<R> {
  let idle = 0;
  let seen = 0;
  let timer: NodeJS.Timeout | undefined;
  const stuck = new Promise<never>((_, reject) => {
    const look = () => {
      idle = unit.running > 0 || unit.statements !== seen ? 0 : idle + 1;
      seen = unit.statements;
      if (idle < MOST_IDLE_LOOKS) return;
      const seconds = (LOOK_EVERY_MS * MOST_IDLE_LOOKS) / 1000;
      reject(new TimeoutError(`The transaction was rolled back after ${seconds} s without a query`));
    };
    timer = setInterval(look, LOOK_EVERY_MS);
  });
  return Promise.race([work(), stuck]).finally(() => clearInterval(timer));
}
