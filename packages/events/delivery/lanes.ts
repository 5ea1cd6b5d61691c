// Queues the claimed deliveries of a process by subscriber, and picks the next to start. Custom, because p-queue's
// limits are fixed: here a slow subscriber loses its slots, and stale claims are released.
import type { Claimed } from './delivery.ts';

export interface Lane {
  readonly name: string;
  /** `since` is the time of the claim, in ms of the monotonic clock. */
  readonly waiting: { readonly claimed: Claimed; readonly since: number }[];
  running: number;
  /** Maximum concurrent deliveries: 1 at first, plus one for every delivery that ends in time. */
  width: number;
  /** Whether its latest delivery takes, or took, a long time. */
  slow: boolean;
  /** Whether its claims were released because its running deliveries are stuck. */
  held: boolean;
}

export interface Lanes {
  /** Returns how many more deliveries of a subscriber to claim; 0 while enough are waiting. */
  room(name: string): number;
  add(name: string, claimed: readonly Claimed[]): void;
  /** Returns the next delivery that may start, and counts it as running. */
  next(): { lane: Lane; claimed: Claimed } | undefined;
  /** Call when one of the lane's running deliveries takes a long time. */
  markSlow(lane: Lane): void;
  leave(lane: Lane, inTime: boolean): void;
  /** Removes and returns claims that have waited longer than `seconds`. */
  takeStale(seconds: number): Claimed[];
  busy(): boolean;
}

export interface Places {
  /** Maximum concurrent deliveries of quick lanes. */
  readonly quick: number;
  /** Maximum slow lanes that run a delivery, one each, so that they do not take the slots of the others. */
  readonly slow: number;
  /** Maximum concurrent deliveries of one subscriber. */
  readonly perLane: number;
}

const BATCH = 500;
const SLOW_BATCH = 2;
/** Maximum waiting claims of all lanes; with many lanes each claims less at a time. */
const MOST_WAITING = 2000;

export function createLanes({ quick, slow, perLane }: Places): Lanes {
  const lanes = new Map<string, Lane>();
  const running = { quick: 0, slow: 0 };
  const kind = (lane: Lane) => (lane.slow ? 'slow' : 'quick');

  const mayStart = (lane: Lane): boolean => {
    if (lane.waiting.length === 0) return false;
    if (lane.slow) return lane.running === 0 && running.slow < slow;
    // A delivery that became slow while running keeps its slot until it ends.
    const free = Math.min(quick - running.quick, quick + slow - running.quick - running.slow);
    // A running lane takes at most half of the free slots, so that several lanes that begin to hang still leave some.
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
        // Move the lane to the end of the map, so that lanes take turns.
        lanes.delete(lane.name);
        lanes.set(lane.name, lane);
        return { lane, claimed: first.claimed };
      }
      return undefined;
    },
    markSlow: (lane) => setSlow(lane, true),
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
