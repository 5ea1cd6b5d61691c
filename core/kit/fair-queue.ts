// A queue that limits concurrent expensive work. Each owner (a tenant, a caller) has a separate line, and the lines
// take turns, so that one owner's backlog does not delay the others.

export interface TurnOptions {
  /** Maximum concurrent work. */
  readonly atOnce: number;
  /** Maximum queued work per owner. */
  readonly waiting: number;
  /** Maximum queued work in total; unlimited by default. */
  readonly waitingInAll?: number;
  /** Creates the error for a caller that finds the queue full. */
  readonly full: () => Error;
}

/** Runs `work` on the owner's turn and returns its result. @throws the error of `full` if too much work is queued */
export type FairQueue = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

interface Owner {
  readonly queue: (() => void)[];
  running: number;
  /** Sequence number of the owner's latest start. The owner with the lowest is next. */
  last: number;
}

/** Creates a queue with its own limits. */
export function fairQueue({ atOnce, waiting, waitingInAll = Infinity, full }: TurnOptions): FairQueue {
  // Owners with running or queued work.
  const owners = new Map<string, Owner>();
  let running = 0;
  let queued = 0;
  let starts = 0;

  // A new owner ranks before the owner served last, and after all other waiting owners.
  const ownerOf = (name: string): Owner => owners.get(name) ?? { queue: [], running: 0, last: starts - 0.5 };

  function begin(owner: Owner): void {
    owner.running++;
    owner.last = ++starts;
  }

  /** Passes a free slot directly to the next owner, so that no newcomer takes it in between. */
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
