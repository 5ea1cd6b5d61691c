// A queue that limits concurrent expensive work. Each owner (a tenant, a caller) has a separate line, and the lines
// take turns, so that one owner's backlog does not delay the others.
import PQueue from 'p-queue';

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

/** Creates a queue with its own limits. */
export function fairQueue({ atOnce, waiting, waitingInAll = Infinity, full }: TurnOptions): FairQueue {
  const queue = new PQueue({ concurrency: atOnce });
  // Owners with running or queued work, and the number of the turn in which the latest of it runs.
  const owners = new Map<string, { queued: number; unfinished: number; turn: number }>();
  let current = 0;

  return async (name, work) => {
    const owner = owners.get(name) ?? { queued: 0, unfinished: 0, turn: 0 };
    if (queue.pending >= atOnce && (owner.queued >= waiting || queue.size >= waitingInAll)) throw full();
    owners.set(name, owner);
    owner.queued++;
    owner.unfinished++;
    // A new owner comes before the next turn of those already served, and after all other waiting owners.
    const turn = Math.max(current + 0.5, owner.turn + 1);
    owner.turn = turn;
    const run = () => {
      owner.queued--;
      current = Math.max(current, turn);
      return work();
    };
    return queue.add(run, { priority: -turn }).finally(() => {
      if (--owner.unfinished === 0) owners.delete(name);
    });
  };
}
