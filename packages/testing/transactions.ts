// Finds out in tests what must not happen inside a transaction, because it would hold its locks and its connection:
// requests to other servers, and password hashes.
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import bcrypt from 'bcrypt';
import type { Database } from '../database/db.ts';
import { shareResults } from '../kit/memoize.ts';
import type { Logger } from '../log/log.ts';

/** The log of the application whose transaction is open. */
const inside = new AsyncLocalStorage<Logger>();

/** Makes transactions of a database log an error for such work. */
export function watchTransactions(database: { transaction: Database['transaction'] }, log: Logger): void {
  watchProcess();
  const transaction = database.transaction.bind(database);
  database.transaction = (work, how) => transaction((tx) => inside.run(log, () => work(tx)), how);
}

/** Runs `work` as somebody else: a test may send requests to the application while its own transaction is open. */
export const outsideTransactions = <R>(work: () => R): R => inside.exit(work);

const report = (what: string): void => {
  const log = inside.getStore();
  log?.error({ stack: new Error(what).stack }, `${what} inside a transaction`);
};

/** Once per process. */
const watchProcess = shareResults(() => {
  subscribe('undici:request:create', () => report('A request to another server'));
  const { hash, compare } = bcrypt;
  bcrypt.hash = ((...given: Parameters<typeof hash>) => {
    report('A password was hashed');
    return hash(...given);
  }) as typeof hash;
  bcrypt.compare = ((...given: Parameters<typeof compare>) => {
    report('A password was compared');
    return compare(...given);
  }) as typeof compare;
  return true;
});
