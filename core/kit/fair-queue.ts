// A queue for expensive work that lets little of it run at once. Each owner (a tenant, a caller) has its own line, and the
// lines take turns, so that one owner's queue does not delay the others.

export interface TurnOptions {
  /** How much may run at the same time. */
  readonly atOnce: number;
  /** How much of one owner may wait. */
  readonly waiting: number;
  /** How much may wait in all; unlimited when absent. */
  readonly waitingInAll?: number;
  /** Makes the error for a caller who finds the queue full. */
  readonly full: () => Error;
}

/** Runs `work` when it is the owner's turn; answers its result. @throws the error of `full` when too many wait already */
export type FairQueue = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

interface Owner {
  readonly queue: (() => void)[];
  running: number;
  /** The number of its latest start; the owner with the lowest is served next. */
  last: number;
}

/** Makes a queue with its own limits. */
export function fairQueue({ atOnce, waiting, waitingInAll = Infinity, full }: TurnOptions): FairQueue {
  // The owners with running or waiting work.
  const owners = new Map<string, Owner>();
  let running = 0;
  let queued = 0;
  let starts = 0;

  // A new owner comes before the one that was served last, and after all others that wait.
  const ownerOf = (name: string): Owner => owners.get(name) ?? { queue: [], running: 0, last: starts - 0.5 };

  function begin(owner: Owner): void {
    owner.running++;
    owner.last = ++starts;
  }

  /** Passes the free place directly to the next owner, so that no newcomer takes it in between. */
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

  return async (name, work) => {
    const owner = ownerOf(name);
    const free = running < atOnce;
    if (!free && (owner.queue.length >= waiting || queued >= waitingInAll)) throw full();
    owners.set(name, owner);
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
      if (owner.running === 0 && owner.queue.length === 0) owners.delete(name);
    }
  };
}
