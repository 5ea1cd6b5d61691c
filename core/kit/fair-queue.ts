// Work that occupies the machine, a little at a time. Owners take turns: the queue of one is not the others' to wait in.

export interface TurnOptions {
  /** How much runs at the same time. */
  readonly atOnce: number;
  /** How many may wait, of each owner. */
  readonly waiting: number;
  /** How many may wait altogether; without it, as many as there are owners to queue. */
  readonly waitingInAll?: number;
  /** What who finds the queue full is told. */
  readonly full: () => Error;
}

/** Runs `work` when it is the turn of `whose`. @throws what `full` makes when too many wait already */
export type FairQueue = <T>(whose: string, work: () => Promise<T>) => Promise<T>;

interface Owner {
  readonly queue: (() => void)[];
  running: number;
  /** The number of the start it had last: the lowest is the next to be served. */
  last: number;
}

/** A rule of its own on how much runs and waits. */
export function fairQueue({ atOnce, waiting, waitingInAll = Infinity, full }: TurnOptions): FairQueue {
  // Those whose work runs or waits.
  const owners = new Map<string, Owner>();
  let running = 0;
  let queued = 0;
  let starts = 0;

  // Whoever comes anew goes before those who were served last, and after those who have waited for longer than that.
  const enter = (whose: string): Owner => owners.get(whose) ?? { queue: [], running: 0, last: starts - 0.5 };

  function begin(owner: Owner): void {
    owner.running++;
    owner.last = ++starts;
  }

  /** The next one takes over the place, so nobody slips in between. */
  function handOver(): void {
    let next: Owner | undefined;
    for (const each of owners.values()) {
      if (each.queue.length > 0 && (!next || each.last < next.last)) next = each;
    }
    const start = next?.queue.shift();
    if (!next || !start) {
      running--;
      return;
    }
    queued--;
    begin(next);
    start();
  }

  function wait(owner: Owner): Promise<void> {
    queued++;
    return new Promise((resolve) => owner.queue.push(resolve));
  }

  return async (whose, work) => {
    const owner = enter(whose);
    const free = running < atOnce;
    if (!free && (owner.queue.length >= waiting || queued >= waitingInAll)) throw full();
    owners.set(whose, owner);
    if (free) {
      running++;
      begin(owner);
    } else {
      await wait(owner);
    }
    try {
      return await work();
    } finally {
      owner.running--;
      handOver();
      if (owner.running === 0 && owner.queue.length === 0) owners.delete(whose);
    }
  };
}
