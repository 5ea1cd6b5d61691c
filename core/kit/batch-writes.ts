// Small writes that come in numbers, made together: a commit for each would cost more than the requests they belong to.
import { setTimeout as wait } from 'node:timers/promises';

export interface WriteBatch<Key, Value> {
  /** Adds a value, or replaces the key's. Answers the work that will write it where this call began it, for its errors. */
  add(key: Key, value: Value): Promise<void> | undefined;
  /** What was added and may not be written yet. */
  waiting(key: Key): Value | undefined;
}

/**
 * Hands over what was added within `ms` (milliseconds) as one, in the order it came. When `write` throws, what waits is
 * dropped: only what may be lost is gathered.
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
