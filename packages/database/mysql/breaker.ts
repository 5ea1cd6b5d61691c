// A circuit breaker: after three consecutive timeouts, calls fail immediately until the database responds again.
import type { Interrupter } from '@keelson/kit/timeout.ts';
import { databaseUnavailable } from '../database-error.ts';

/** Consecutive timeouts that open the breaker. */
const MISSES = 3;
const PROBE_EVERY_MS = 250;
/** Timeouts count only after this long without any response: callers queued for a busy pool all time out at once. */
const SILENT_MS = 500;

/** A circuit breaker. Pending waits fail with `unavailable()` the moment it opens. */
export interface Breaker extends Interrupter {
  /** @throws unavailable() while the breaker is open */
  check(): void;
  /** Records a timeout. */
  readonly missed: () => void;
  readonly answered: () => void;
  readonly close: () => void;
}

export interface BreakerOptions {
  /** Pings the database on a dedicated connection. Returns true on success. */
  readonly probe: () => Promise<boolean>;
  /** Called when the database stops responding. */
  readonly onOpen: () => void;
  /** Called when the database responds again. */
  readonly onRecovery: () => void;
}

/** Creates a breaker that opens after three consecutive timeouts. It probes every 250 ms and closes on success. */
export function breaker({ probe, onOpen, onRecovery }: BreakerOptions): Breaker {
  let misses = 0;
  let lastAnswer = -Infinity;
  let open = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Set<(error: Error) => void>();

  const sendProbe = async () => {
    const answers = await probe();
    if (closed) return;
    if (!answers) return probeLater();
    misses = 0;
    open = false;
    onRecovery();
  };
  const probeLater = () => {
    timer = setTimeout(() => void sendProbe(), PROBE_EVERY_MS).unref();
  };
  const trip = () => {
    open = true;
    for (const fail of waiting) fail(databaseUnavailable('The database is not responding'));
    onOpen();
    probeLater();
  };

  return {
    check: () => {
      if (open) throw databaseUnavailable('The database is not responding');
    },
    join: (fail) => void waiting.add(fail),
    leave: (fail) => void waiting.delete(fail),
    missed: () => {
      misses++;
      const silent = performance.now() - lastAnswer >= SILENT_MS;
      if (misses >= MISSES && silent && !open && !closed) trip();
    },
    answered: () => {
      misses = 0;
      lastAnswer = performance.now();
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}
