// Reading through: what was just read is good for a moment, so that the same look-up on every request costs nothing.
import { LRUCache } from 'lru-cache';
import type { Db, Transaction } from './db.ts';

export interface Cache<Key, Value> {
  /**
   * What `read` answers for the key: now, or less than the cache's seconds ago. Absence is remembered too. Inside a
   * transaction it never waits for somebody else's read: on SQLite that one waits for the transaction.
   */
  get(db: Db, key: Key): Promise<Value>;
  /** `tx` changes what is kept: it reads past the cache from now on, and its commit empties the cache. */
  changing(tx: Transaction): void;
  clear(): void;
}

interface Entry<Value> {
  readonly reading: Promise<Value>;
  settled: boolean;
}

/**
 * Keeps what `read` answers for `seconds` (two unless given), of at most `max` keys (one unless given). A read that fails
 * is not kept. Other processes see a change when their own entry is too old.
 */
export function cache<Key extends string | number, Value>(
  read: (db: Db, key: Key) => Promise<Value>,
  { seconds = 2, max = 1 }: { readonly seconds?: number; readonly max?: number } = {},
): Cache<Key, Value> {
  const kept = new LRUCache<Key, Entry<Value>>({ max, ttl: seconds * 1000 });
  const changing = new WeakSet<Transaction>();
  let cleared = 0;
  const clear = (): void => {
    cleared++;
    kept.clear();
  };
  // What a transaction reads is committed, and so good for others, unless it changed it itself.
  const readInside = async (tx: Transaction, key: Key): Promise<Value> => {
    if (changing.has(tx)) return read(tx, key);
    const known = kept.get(key);
    if (known?.settled) return known.reading;
    const before = cleared;
    const value = await read(tx, key);
    if (before === cleared && !changing.has(tx)) kept.set(key, { reading: Promise.resolve(value), settled: true });
    return value;
  };
  const readOutside = (db: Db, key: Key): Promise<Value> => {
    const known = kept.get(key);
    if (known) return known.reading;
    const entry: Entry<Value> = { reading: read(db, key), settled: false };
    kept.set(key, entry);
    entry.reading.then(
      () => (entry.settled = true),
      // Only while it is the one that is kept: it may have been dropped and read again meanwhile.
      () => kept.peek(key) === entry && kept.delete(key),
    );
    return entry.reading;
  };
  return {
    get: (db, key) => (isTransaction(db) ? readInside(db, key) : readOutside(db, key)),
    changing(tx) {
      changing.add(tx);
      tx.afterCommit(clear);
    },
    clear,
  };
}

function isTransaction(db: Db): db is Transaction {
  return 'append' in db;
}
