// What a transaction knows of itself while it runs.
import { LostTransaction } from './database-error.ts';
import type { Engine, Link } from './database-link.ts';
import { Problem } from '../kit/problem.ts';
import type { Sql } from './sql.ts';
import type { Table } from './table.ts';

export interface Unit {
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

export function newUnit(engine: Engine, link: Link): Unit {
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

// After a deadlock MySQL has rolled back, and would run further statements outside of any transaction.
export async function guarded<R>(unit: Unit, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LostTransaction || error instanceof Problem) unit.dead ??= error;
    throw error;
  }
}

export function refuseLate(unit: Unit): void {
  if (unit.dead) throw unit.dead;
  if (unit.ended) throw new Error('The transaction has ended: was something in it not awaited?');
}
