// What one process has claimed and not finished, by subscriber, and who may start next.
import type { Claimed } from './claim.ts';

export interface Lane {
  readonly name: string;
  /** `since` is when it was claimed, in ms of the monotonic clock. */
  readonly waiting: { readonly claimed: Claimed; readonly since: number }[];
  running: number;
  /** How many may run at once: it begins with one, and every delivery that ends in time allows another. */
  width: number;
  /** A delivery of it takes long, or took long at last. */
  slow: boolean;
  /** Gave its deliveries back because none of its running ones ends. */
  held: boolean;
}

export interface Lanes {
  /** How many more deliveries of a subscriber to claim; 0 while it has enough. */
  room(name: string): number;
  add(name: string, claimed: readonly Claimed[]): void;
  /** The next delivery that may start, counted as running from now on. */
  next(): { lane: Lane; claimed: Claimed } | undefined;
  /** One of its running deliveries takes long: it no longer counts among the quick ones. */
  slowed(lane: Lane): void;
  leave(lane: Lane, inTime: boolean): void;
  /** Removes and answers what has waited longer than `seconds`. */
  takeStale(seconds: number): Claimed[];
  busy(): boolean;
}

export interface Places {
  /** Deliveries at work at once. */
  readonly quick: number;
  /** Lanes that are slow share these instead, one each, so that they cannot fill the places of the others. */
  readonly slow: number;
  /** How many deliveries of one subscriber may run at once. */
  readonly perLane: number;
}

const BATCH = 500;
const SLOW_BATCH = 2;
/** All lanes together; a batch gets smaller when many lanes wait. */
const MOST_WAITING = 2000;

export function createLanes({ quick, slow, perLane }: Places): Lanes {
  const lanes = new Map<string, Lane>();
  const running = { quick: 0, slow: 0 };
  const kind = (lane: Lane) => (lane.slow ? 'slow' : 'quick');

  const mayStart = (lane: Lane): boolean => {
    if (lane.waiting.length === 0) return false;
    if (lane.slow) return lane.running === 0 && running.slow < slow;
    // What became slow while it ran still has its place until it ends.
    const free = Math.min(quick - running.quick, quick + slow - running.quick - running.slow);
    // At most half of what is left: several lanes that begin to hang at the same moment still leave places.
    return lane.running === 0 ? free > 0 : lane.running < Math.min(free, lane.width);
  };

  const setSlow = (lane: Lane, isSlow: boolean): void => {
    running[kind(lane)] -= lane.running;
    lane.slow = isSlow;
    running[kind(lane)] += lane.running;
  };

  return {
    room(name) {
      const lane = lanes.get(name);
      if (lane?.held) return 0;
      const share = Math.max(1, Math.min(BATCH, Math.floor(MOST_WAITING / (lanes.size + 1))));
      const size = lane?.slow ? SLOW_BATCH : share;
      const waiting = lane?.waiting.length ?? 0;
      return waiting <= size / 2 ? size - waiting : 0;
    },
    add(name, claimed) {
      if (claimed.length === 0) return;
      const lane = lanes.get(name) ?? { name, waiting: [], running: 0, width: 1, slow: false, held: false };
      const since = performance.now();
      for (const each of claimed) lane.waiting.push({ claimed: each, since });
      lanes.set(name, lane);
    },
    next() {
      for (const lane of lanes.values()) {
        if (!mayStart(lane)) continue;
        const first = lane.waiting.shift();
        if (!first) continue;
        lane.running++;
        running[kind(lane)]++;
        // To the end of the line, so that the lanes take turns.
        lanes.delete(lane.name);
        lanes.set(lane.name, lane);
        return { lane, claimed: first.claimed };
      }
      return undefined;
    },
    slowed: (lane) => setSlow(lane, true),
    leave(lane, inTime) {
      running[kind(lane)]--;
      lane.running--;
      lane.held = false;
      setSlow(lane, !inTime);
      lane.width = inTime ? Math.min(perLane, lane.width + 1) : 1;
      if (lane.running === 0 && lane.waiting.length === 0 && !lane.slow) lanes.delete(lane.name);
    },
    takeStale(seconds) {
      const before = performance.now() - seconds * 1000;
      return [...lanes.values()].flatMap((lane) => {
        const fresh = lane.waiting.findIndex(({ since }) => since > before);
        const stale = lane.waiting.splice(0, fresh < 0 ? lane.waiting.length : fresh);
        if (stale.length > 0) lane.held = lane.running > 0;
        return stale.map(({ claimed }) => claimed);
      });
    },
    busy: () => [...lanes.values()].some((lane) => lane.running + lane.waiting.length > 0),
  };
}
