// Notices when the process is behind with its work, so that new requests can be refused early and cheaply (M20, P10).
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoadGuard {
  /** True while the event loop lags; costs nothing to ask. Answer 503 with Retry-After then. */
  overloaded(): boolean;
  stop(): void;
}

const RESOLUTION_MS = 10;
const WINDOW_MS = 100;

/**
 * Watches the delay of the event loop in windows of 100 ms: overloaded is who was later than `maxDelayMs` (250) half of
 * the time in two windows running. One long piece of work is one late window, and refuses nobody.
 */
export function loadGuard({ maxDelayMs = 250 }: { maxDelayMs?: number } = {}): LoadGuard {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let wasLate = false;
  let overloaded = false;
  const timer = setInterval(() => {
    // Nothing was measured since the last look: what was known still holds.
    if (histogram.count === 0) return;
    const late = histogram.percentile(50) / 1e6 - RESOLUTION_MS > maxDelayMs;
    overloaded = late && wasLate;
    wasLate = late;
    histogram.reset();
  }, WINDOW_MS);
  timer.unref();
  return {
    overloaded: () => overloaded,
    stop: () => {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
