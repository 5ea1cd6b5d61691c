// Runs work items with limited concurrency, keeping the order of items that share a key, which p-queue does not
// support.

/** A queue of concurrent work items, created by `abreast`. */
export interface Abreast<T> {
  /**
   * Starts the next item once there is capacity and no running item shares a key with it. Does not wait for it to
   * finish.
   * @throws the error of an earlier item
   */
  next(piece: T): Promise<void>;
  /** Waits for all items. @throws the error of the first failed item */
  done(): Promise<void>;
}

export interface AbreastOptions<T> {
  /** Maximum concurrent items. */
  readonly most: number;
  /** Returns an item's keys. Items that share a key run in order. */
  readonly keysOf: (piece: T) => Iterable<string>;
}

/** Creates a queue of work items that may run concurrently: `const storing = abreast({ most: 2, keysOf }, store)`. */
export function abreast<T>({ most, keysOf }: AbreastOptions<T>, work: (piece: T) => Promise<void>): Abreast<T> {
  const running = new Map<Promise<void>, ReadonlySet<string>>();
  const failed: unknown[] = [];

  function begin(piece: T, keys: ReadonlySet<string>): void {
    const done = work(piece)
      .catch((error: unknown) => void failed.push(error))
      .finally(() => running.delete(done));
    running.set(done, keys);
  }

  function check(): void {
    if (failed.length > 0) throw failed[0];
  }

  return {
    async next(piece) {
      const keys = new Set(keysOf(piece));
      const mustWait = () => running.size >= most || [...running.values()].some((each) => !each.isDisjointFrom(keys));
      while (failed.length === 0 && mustWait()) await Promise.race(running.keys());
      check();
      begin(piece, keys);
    },
    async done() {
      await Promise.all(running.keys());
      check();
    },
  };
}
