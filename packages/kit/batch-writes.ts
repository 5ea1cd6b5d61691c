// Batches small writes into one transaction, because a commit for each would cost more than the request that caused it.
import { setTimeout as wait } from 'node:timers/promises';

export interface WriteBatch<Key, Value> {
  /**
   * Adds a value, or replaces the value for this key. If the call starts a batch it returns the batch's promise, so
   * that the caller handles its errors; otherwise undefined.
   */
  add(key: Key, value: Value): Promise<void> | undefined;
  /** Returns the value for this key that may not be written yet. */
  waiting(key: Key): Value | undefined;
}

/**
 * Collects values for `ms` milliseconds and passes them to `write` together, in insertion order. If `write` throws, all
 * collected values are dropped, so use it only for writes that may be lost.
 */
export function batchWrites<Key, Value>(
  ms: number,
  write: (values: ReadonlyMap<Key, Value>) => Promise<unknown>,
): WriteBatch<Key, Value> {
  const waiting = new Map<Key, Value>();
  let running = false;
  const run = async (): Promise<void> => {
    running = true;
    try {
      while (waiting.size > 0) {
        await wait(ms);
        const values = new Map(waiting);
        await write(values);
        for (const [key, value] of values) if (waiting.get(key) === value) waiting.delete(key);
      }
    } finally {
      waiting.clear();
      running = false;
    }
  };
  return {
    add(key, value) {
      waiting.set(key, value);
      return running ? undefined : run();
    },
    waiting: (key) => waiting.get(key),
  };
}
