// Detects overload, so that new requests can be rejected early and cheaply (ME-20, RP-10).
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoadGuard {
  /** Whether the event loop lags; requests should then get 503 with Retry-After. Calling it is free. */
  overloaded(): boolean;
  /** Discards earlier measurements. Opening databases blocks a starting process, which says nothing about its load. */
  forget(): void;
  stop(): void;
}

const RESOLUTION_MS = 10;
const WINDOW_MS = 100;

/**
 * Measures the delay of the event loop in windows of 100 ms. The process is overloaded when the mean delay exceeds
 * `maxDelayMs` (250) in two consecutive windows, so short turns between long tasks do not hide these. A single long
 * task makes only one window late, so no request is rejected.
 */
export function loadGuard({ maxDelayMs = 250 }: { maxDelayMs?: number } = {}): LoadGuard {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let wasLate = false;
  let overloaded = false;
  let stale = false;
  const timer = setInterval(() => {
    // Without samples since the last window, keep the state.
    if (histogram.count === 0) return;
    const late = !stale && histogram.mean / 1e6 - RESOLUTION_MS > maxDelayMs;
    overloaded = late && wasLate;
    wasLate = late;
    stale = false;
    histogram.reset();
  }, WINDOW_MS);
  timer.unref();
  return {
    overloaded: () => overloaded,
    forget() {
      wasLate = overloaded = false;
      // The next sample started before this call.
      stale = true;
    },
    stop: () => {
      clearInterval(timer);
      histogram.disable();
    },
  };
}

/** For tests, which would otherwise get 503 on a busy machine. */
export const neverOverloaded: LoadGuard = Object.freeze({ overloaded: () => false, forget() {}, stop() {} });
