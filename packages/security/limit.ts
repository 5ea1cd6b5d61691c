// Rate limits with an exact 60-second sliding window: the time of every counted request is stored (L-01 to L-12).
// Refused requests do not count, or a busy caller would stay blocked forever (L-07). Custom, because
// rate-limiter-flexible counts in fixed windows, which allow nearly twice the limit around a boundary.

/** The state of one bucket, as reported to the caller. */
export interface Window {
  readonly allowed: boolean;
  readonly limit: number;
  /** Calls left, never below 0 (L-06). */
  readonly remaining: number;
  /** When the oldest counted request leaves the window, in Unix seconds (L-01). Now if there is none. */
  readonly resetAt: number;
  /** Whole seconds until a call is allowed again, at least 1 (L-02). */
  readonly retryAfter: number;
}

export interface Charge {
  readonly bucket: string;
  readonly limit: number;
}

export interface Limiter {
  /** Counts a call, unless the bucket is full. */
  take(bucket: string, limit: number): Promise<Window> | Window;
  /** Counts a call in each bucket, or in none if one of them is full. The buckets must differ. */
  takeEach(charges: readonly Charge[]): Promise<readonly Window[]> | readonly Window[];
  close(): Promise<void>;
}

/** Two clocks in milliseconds: a monotonic one for measuring, and the wall clock for values reported to callers. */
export interface LimitClock {
  monotonic(): number;
  unix(): number;
}

export interface MemoryLimiterOptions {
  readonly clock?: LimitClock;
  readonly windowMs?: number;
  /** Beyond this many buckets, the least recently used one is evicted. */
  readonly maxBuckets?: number;
}

export const WINDOW_MS = 60_000;

/** Charges all buckets or none. Returns the tightest window: the longest wait, or the fewest calls left. */
export async function takeAll(limiter: Limiter, charges: readonly Charge[]): Promise<Window> {
  return tightest(await limiter.takeEach(charges));
}

/** Counts in this process. */
export function memoryLimiter(options: MemoryLimiterOptions = {}): Limiter {
  const { clock = systemLimitClock, windowMs = WINDOW_MS, maxBuckets = 50_000 } = options;
  // The times of each, oldest first. The buckets are in order of last use, least recent first.
  const buckets = new Map<string, number[]>();

  function use(bucket: string, now: number): number[] {
    const times = buckets.get(bucket) ?? [];
    buckets.delete(bucket);
    buckets.set(bucket, times);
    while ((times[0] ?? now) <= now - windowMs) times.shift();
    return times;
  }

  // Removes at most two buckets per call. Each call adds at most one, so idle buckets disappear without a timer.
  function sweep(now: number): void {
    for (let i = 0; i < 2; i++) {
      const oldest = buckets.entries().next().value;
      if (!oldest || (buckets.size <= maxBuckets && (oldest[1].at(-1) ?? -Infinity) > now - windowMs)) return;
      buckets.delete(oldest[0]);
    }
  }

  function takeEach(charges: readonly Charge[]): readonly Window[] {
    const now = clock.monotonic();
    const unix = clock.unix();
    const used = charges.map(({ bucket }) => use(bucket, now));
    const allowed = used.every((times, i) => times.length < charges[i]!.limit);
    if (allowed) for (const times of used) times.push(now);
    const windows = used.map((times, i) => {
      const { limit } = charges[i]!;
      const count = times.length;
      return describe({
        allowed: allowed || count < limit,
        limit,
        count,
        resetInMs: count > 0 ? times[0]! + windowMs - now : 0,
        freeInMs: freeIn(limit, count, windowMs, () => times[count - limit]! - now),
        unixMs: unix,
      });
    });
    sweep(now);
    return windows;
  }

  return {
    take: (bucket, limit) => takeEach([{ bucket, limit }])[0]!,
    takeEach,
    close: async () => buckets.clear(),
  };
}

/** A bucket's state as measured by a limiter, after the call. */
export interface Measured {
  readonly allowed: boolean;
  readonly limit: number;
  readonly count: number;
  readonly resetInMs: number;
  /** The wait until one more call is allowed; 0 if one is allowed now. */
  readonly freeInMs: number;
  readonly unixMs: number;
}

/**
 * Milliseconds until a bucket allows a call. `fromNow` is when the call that must leave first was made, relative to
 * now.
 */
export function freeIn(limit: number, count: number, windowMs: number, fromNow: () => number): number {
  if (limit <= 0) return windowMs;
  return count < limit ? 0 : fromNow() + windowMs;
}

/** Converts measured values to the units callers see. */
export function describe({ allowed, limit, count, resetInMs, freeInMs, unixMs }: Measured): Window {
  return {
    allowed,
    limit,
    remaining: Math.max(0, limit - count),
    resetAt: count > 0 ? Math.ceil((unixMs + resetInMs) / 1000) : Math.floor(unixMs / 1000),
    retryAfter: Math.max(1, Math.ceil(freeInMs / 1000)),
  };
}

// Multiples of 1/1024 ms add and subtract without rounding errors, so a wait of 60 s never becomes 61.
const systemLimitClock: LimitClock = {
  monotonic: () => Math.floor(performance.now() * 1024) / 1024,
  unix: () => Date.now(),
};

function tightest(windows: readonly Window[]): Window {
  return windows.reduce((best, next) => {
    if (best.allowed !== next.allowed) return best.allowed ? next : best;
    if (!best.allowed) return next.retryAfter > best.retryAfter ? next : best;
    return next.remaining < best.remaining ? next : best;
  });
}
