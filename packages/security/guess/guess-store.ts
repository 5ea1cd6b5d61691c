// Storage of failed guesses.
import { lru } from '@keelson/kit/lru.ts';

/** Timestamps in milliseconds since 1970. */
export interface Guesses {
  /** Consecutive failures. */
  readonly count: number;
  readonly last: number;
  /** Failures of the last 15 minutes. */
  readonly recent: readonly Guess[];
  /** Attempts without a result yet. */
  readonly pending: readonly Guess[];
}

export interface Guess {
  readonly address: string;
  readonly at: number;
}

/** Stores the guesses of an account or an address, for `keepMs` after the last change. */
export interface GuessStore {
  /**
   * Atomically replaces the guesses under `key` with the `after` of `step`, and returns its `answer`. `step` may run
   * several times. Undefined if concurrent changes won every time.
   */
  change<T>(key: string, step: (before: Guesses | undefined) => Step<T>): Promise<{ answer: T } | undefined>;
}

export interface Step<T> {
  /** Undefined if there is nothing left to store. */
  readonly after: Guesses | undefined;
  readonly answer: T;
}

/** Stores guesses in this process. Beyond `max` accounts the least recently used is evicted. */
export function memoryGuessStore(max = 50_000): GuessStore {
  const kept = lru<string, Guesses>(max);
  return {
    async change(key, step) {
      const { after, answer } = step(kept.get(key));
      if (after) kept.set(key, after);
      else kept.delete(key);
      return { answer };
    },
  };
}
