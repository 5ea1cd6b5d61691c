// Short-lived read-through caches for look-ups that almost every request repeats.
import { lru } from '@keelson/kit/lru.ts';
import type { SteadyClock } from '@keelson/kit/time.ts';
import type { Db, Transaction } from './db.ts';

export interface Cache<Key, Value> {
  /**
   * Returns the value that `read` yields for the key, at most `seconds` old. Missing values are cached too.
   * Inside a transaction it never waits for a read outside: on SQLite that read is itself queued behind the
   * transaction.
   */
  get(db: Db, key: Key): Promise<Value>;
  /** Call when `tx` changes cached rows. From then on `tx` bypasses the cache, and its commit clears it. */
  changing(tx: Transaction): void;
  /** Clears the cache. */
  clear(): void;
}

interface Entry<Value> {
  readonly value: Promise<Value>;
  ready: boolean;
}

/**
 * Creates a cache of `read` for `seconds` (default 2) of the application’s clock and up to `max` keys (default 1).
 * Failed reads are not cached.
 * Other processes see a change only when their own entry expires.
 */
export function cache<Key extends string | number, Value>(
  { clock }: { readonly clock: SteadyClock },
  read: (db: Db, key: Key) => Promise<Value>,
  { seconds = 2, max = 1 }: { readonly seconds?: number; readonly max?: number } = {},
): Cache<Key, Value> {
  const kept = lru<Key, Entry<Value>>(max, seconds * 1000, clock.monotonic);
  const changing = new WeakSet<Transaction>();
  let cleared = 0;
  const clear = (): void => {
    cleared++;
    kept.clear();
  };
  // Rows read inside a transaction are committed ones, so the value is safe to share unless this transaction changed
  // it.
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
      // A later read may have replaced the entry.
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
