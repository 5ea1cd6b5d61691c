// What one process has claimed and not finished, by subscriber, and who may start next.
import type { Claimed } from './delivery.ts';

export interface Lane {
  readonly name: string;
  /** `since` is when it was claimed, in ms of the monotonic clock. */
  readonly waiting: { readonly claimed: Claimed; readonly since: number }[];
  running: number;
  /** Its last delivery missed the deadline. */
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
  leave(lane: Lane, inTime: boolean): void;
  /** Removes and answers what has waited longer than `seconds`. */
  takeStale(seconds: number): Claimed[];
  busy(): boolean;
}

/** Deliveries at work at once. With the slow ones fewer than the pool has connections: requests need some. */
const PLACES = 6;
/** Lanes that hang share these instead, one each, so that they cannot fill the places of the others. */
const SLOW_PLACES = 2;
const BATCH = 100;
const SLOW_BATCH = 2;
/** All lanes together; a batch gets smaller when many lanes wait. */
const MOST_WAITING = 500;

/** @param perLane how many deliveries of one subscriber may run at once */
export function createLanes(perLane: number): Lanes {
  const lanes = new Map<string, Lane>();
  const running = (slow: boolean) => sum(lanes, (each) => (each.slow === slow ? each.running : 0));

  const mayStart = (lane: Lane): boolean => {
    if (lane.waiting.length === 0) return false;
    if (lane.slow) return lane.running === 0 && running(true) < SLOW_PLACES;
    const free = PLACES - running(false);
    // At most half of what is left: several lanes that begin to hang at the same moment still leave places.
    return lane.running === 0 ? free > 0 : lane.running < Math.min(free, perLane);
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
      const lane = lanes.get(name) ?? { name, waiting: [], running: 0, slow: false, held: false };
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
        // To the end of the line, so that the lanes take turns.
        lanes.delete(lane.name);
        lanes.set(lane.name, lane);
        return { lane, claimed: first.claimed };
      }
      return undefined;
    },
    leave(lane, inTime) {
      lane.running--;
      lane.held = false;
      lane.slow = !inTime;
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
    busy: () => sum(lanes, (each) => each.running + each.waiting.length) > 0,
  };
}

function sum(lanes: ReadonlyMap<string, Lane>, of: (lane: Lane) => number): number {
  let total = 0;
  for (const each of lanes.values()) total += of(each);
  return total;
}
