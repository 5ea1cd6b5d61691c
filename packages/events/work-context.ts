// The part of the context that subscribers, receivers and jobs need; the plugin layer creates the full one.
import type { Db, Transaction } from '@keelson/database/db.ts';
import type { Timestamp } from '@keelson/kit/time.ts';
import type { Event } from './event.ts';

export interface WorkContext {
  readonly db: Db;
  readonly tx: Transaction | undefined;
  readonly now: Timestamp;
  /** Stores an event with the transaction. @throws Error outside a transaction */
  emit<Data>(event: Event<Data>, data: Data): void;
  /** Runs after the commit, or immediately outside a transaction. */
  afterCommit(work: () => void): void;
  /** Runs `work` in the open transaction, or in a new one. */
  transaction<R>(work: (ctx: this) => Promise<R>): Promise<R>;
}
