// Reading through: what was just read is good for a moment, so that the same look-up on every request costs nothing.
import { LRUCache } from 'lru-cache';

export interface BriefCache<Key, Value> {
  /** What `read` answers for the key: now, or less than the cache's seconds ago. Absence is remembered too. */
  get(key: Key): Promise<Value>;
  forget(key: Key): void;
  clear(): void;
}

/** Keeps the answers of `read` for `seconds`, at most `max` of them. A read that fails is not kept. */
export function briefCache<Key extends string | number, Value>(
  read: (key: Key) => Promise<Value>,
  { seconds, max }: { seconds: number; max: number },
): BriefCache<Key, Value> {
  const kept = new LRUCache<Key, Promise<Value>>({ max, ttl: seconds * 1000 });
  return {
    get(key) {
      const known = kept.get(key);
      if (known) return known;
      const reading = read(key);
      kept.set(key, reading);
      // Only while it is the one that is kept: it may have been dropped and read again meanwhile.
      reading.catch(() => kept.peek(key) === reading && kept.delete(key));
      return reading;
    },
    forget: (key) => kept.delete(key),
    clear: () => kept.clear(),
  };
}
