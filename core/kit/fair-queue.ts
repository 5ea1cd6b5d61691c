// Work that occupies the machine, a little at a time. Tenants take turns: the queue of one is not the others' to wait in.

export interface TurnOptions {
  /** How much runs at the same time. */
  readonly atOnce: number;
  /** How many may wait, of each tenant. */
  readonly waiting: number;
  /** What who finds the queue full is told. */
  readonly full: () => Error;
}

/** Runs `work` when it is the turn of `whose`. @throws what `full` makes when too many of theirs wait already */
export type FairQueue = <T>(whose: string, work: () => Promise<T>) => Promise<T>;

/** A rule of its own on how much runs and waits. */
export function fairQueue({ atOnce, waiting, full }: TurnOptions): FairQueue {
  // In the order of their turns; who is served goes to the end.
  const queues = new Map<string, (() => void)[]>();
  let running = 0;

  function next(): (() => void) | undefined {
    const [first] = queues;
    if (!first) return undefined;
    const [whose, queue] = first;
    queues.delete(whose);
    const start = queue.shift();
    if (queue.length > 0) queues.set(whose, queue);
    return start;
  }

  function wait(whose: string): Promise<void> {
    const queue = queues.get(whose) ?? [];
    if (queue.length >= waiting) throw full();
    queues.set(whose, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  return async (whose, work) => {
    if (running < atOnce) running++;
    else await wait(whose);
    try {
      return await work();
    } finally {
      // The next one takes over this place, so nobody slips in between.
      const start = next();
      if (start) start();
      else running--;
    }
  };
}
