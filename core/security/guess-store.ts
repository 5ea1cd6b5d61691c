// What is remembered of failed guesses, and where.
import { LRUCache } from 'lru-cache';

/** Times are milliseconds since 1970. */
export interface Guesses {
  /** Failures in a row. */
  readonly count: number;
  readonly last: number;
  /** Failures of the last 15 minutes. */
  readonly recent: readonly Guess[];
  /** Attempts whose result is not known yet. */
  readonly pending: readonly Guess[];
}

export interface Guess {
  readonly address: string;
  readonly at: number;
}

/** Stores the guesses of an account or an address, for `keepMs` after the last change. */
export interface GuessStore {
  /**
   * Atomically replaces the guesses under `key` by the `after` of `step`; answers its `answer`. `step` may run several
   * times. Undefined when concurrent changes won every time.
   */
  change<T>(key: string, step: (before: Guesses | undefined) => Step<T>): Promise<{ answer: T } | undefined>;
}

export interface Step<T> {
  /** Undefined when there is nothing left to store. */
  readonly after: Guesses | undefined;
  readonly answer: T;
}

/** Stores guesses in this process; beyond `max` accounts it drops the least recently used. */
export function memoryGuessStore(max = 50_000): GuessStore {
  const kept = new LRUCache<string, Guesses>({ max });
  return {
    async change(key, step) {
      const { after, answer } = step(kept.get(key));
      if (after) kept.set(key, after);
      else kept.delete(key);
      return { answer };
    },
  };
}
