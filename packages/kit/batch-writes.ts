// Batches small writes into one transaction, because a commit for each would cost more than the request that caused it.
import { setTimeout as wait } from 'node:timers/promises';

export interface WriteBatch<Key, Value> {
  /**
   * Adds a value, or replaces the value for this key. If the call starts a batch it returns the batch's promise, so
   * that the caller handles its errors; otherwise undefined.
   */
  add(key: Key, value: Value): Promise<void> | undefined;
  /**
   * Call it before you read what the values are written to. The function that it returns gives the values that the read
   * may have missed: those that are not written yet, and those that are written meanwhile.
   */
  reading(): (key: Key) => Value | undefined;
}

/**
 * Collects values for `ms` milliseconds and passes them to `write` together, in insertion order. If `write` throws, all
 * collected values are dropped, so use it only for writes that may be lost.
 */
export function batchWrites<Key, Value>(
  ms: number,
  write: (values: ReadonlyMap<Key, Value>) => Promise<unknown>,
): WriteBatch<Key, Value> {
  let waiting = new Map<Key, Value>();
  let running = false;
  const run = async (): Promise<void> => {
    running = true;
    try {
      while (waiting.size > 0) {
        await wait(ms);
        const values = new Map(waiting);
        await write(values);
        waiting = new Map([...waiting].filter(([key, value]) => values.get(key) !== value));
      }
    } finally {
      waiting = new Map();
      running = false;
    }
  };
  return {
    add(key, value) {
      waiting.set(key, value);
      return running ? undefined : run();
    },
    reading() {
      const before = waiting;
      return (key) => waiting.get(key) ?? before.get(key);
    },
  };
}
