// The context that subscribers, receivers and jobs work with. The plugin layer makes it; events need only this of it.
import type { Db, Transaction } from '../database/db.ts';
import type { Timestamp } from '../kit/time.ts';
import type { Event } from './event.ts';

export interface WorkContext {
  readonly db: Db;
  readonly tx: Transaction | undefined;
  readonly now: Timestamp;
  /** Stores an event with the transaction. @throws Error outside of one */
  emit<Data>(event: Event<Data>, data: Data): void;
  /** Runs after the commit; outside a transaction at once. */
  afterCommit(work: () => void): void;
  /** Runs `work` in a transaction, or in the one that is open already. */
  transaction<R>(work: (ctx: this) => Promise<R>): Promise<R>;
}
