// Read-through caches with a short life, so that the same look-up on every request costs nothing.
import { LRUCache } from 'lru-cache';
import type { Db, Transaction } from './db.ts';

export interface Cache<Key, Value> {
  /**
   * The value that `read` gives for the key, at most as old as the cache's `seconds`. A missing value is cached too.
   * Inside a transaction it never waits for a read outside: on SQLite that read waits for the transaction.
   */
  get(db: Db, key: Key): Promise<Value>;
  /** To be called when `tx` changes cached rows: `tx` reads past the cache from now on, and its commit clears it. */
  changing(tx: Transaction): void;
  /** Forgets everything. */
  clear(): void;
}

interface Entry<Value> {
  readonly value: Promise<Value>;
  ready: boolean;
}

/**
 * Caches what `read` returns for `seconds` (2 unless given), for at most `max` keys (1 unless given). A read that fails
 * is not cached. Other processes see a change when their own entry has expired.
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
  // What a transaction reads is committed, and may be cached for others, unless the transaction changed it itself.
  const readInside = async (tx: Transaction, key: Key): Promise<Value> => {
    if (changing.has(tx)) return read(tx, key);
    const known = kept.get(key);
    if (known?.ready) return known.value;
    const before = cleared;
    const value = await read(tx, key);
    if (before === cleared && !changing.has(tx)) kept.set(key, { value: Promise.resolve(value), ready: true });
    return value;
  };
  const readOutside = (db: Db, key: Key): Promise<Value> => {
    const known = kept.get(key);
    if (known) return known.value;
    const entry: Entry<Value> = { value: read(db, key), ready: false };
    kept.set(key, entry);
    entry.value.then(
      () => (entry.ready = true),
      // The entry may have been replaced by a later read.
      () => kept.peek(key) === entry && kept.delete(key),
    );
    return entry.value;
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
