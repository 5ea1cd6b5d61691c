// Work on one piece after the other, some of them side by side.

/** Pieces that are worked on, as `abreast` takes them. */
export interface Abreast<T> {
  /**
   * Begins with the next piece, as soon as there is room and nothing is worked on that it has a key in common with. It
   * does not wait until the piece is done. @throws what an earlier piece threw
   */
  next(piece: T): Promise<void>;
  /** Waits for all pieces. @throws what one of them threw */
  done(): Promise<void>;
}

export interface AbreastOptions<T> {
  /** How many pieces are worked on at the same time. */
  readonly most: number;
  /** Pieces with a key in common are worked on in their order. */
  readonly keysOf: (piece: T) => Iterable<string>;
}

/** Pieces of work that may be done at the same time: `const storing = abreast({ most: 2, keysOf }, store)`. */
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
