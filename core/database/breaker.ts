// A circuit breaker: after three missed deadlines in a row callers fail at once instead of waiting, until the database
// answers again.
import { databaseUnavailable } from './database-error.ts';
import type { Interrupter } from '../kit/timeout.ts';

/** Missed deadlines in a row that open the breaker. */
const MISSES = 3;
const PROBE_EVERY_MS = 250;
/** Misses count only after this long without any answer: callers who wait for a busy pool all miss at the same time. */
const SILENT_MS = 500;

/** Its waits fail with `unavailable()` at the moment it opens. */
export interface Breaker extends Interrupter {
  /** @throws unavailable() while it is open */
  check(): void;
  /** A deadline passed without an answer. */
  readonly missed: () => void;
  readonly answered: () => void;
  readonly close: () => void;
}

export interface BreakerOptions {
  /** Asks the database on a connection of its own; true when it answers. */
  readonly probe: () => Promise<boolean>;
  /** The database stopped answering. */
  readonly onOpen: () => void;
  /** It answers again. */
  readonly onRecovery: () => void;
}

/** Opens after three misses in a row, and closes when a probe, every quarter of a second, is answered. */
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
    for (const fail of waiting) fail(databaseUnavailable('The database does not answer'));
    onOpen();
    probeLater();
  };

  return {
    check: () => {
      if (open) throw databaseUnavailable('The database does not answer');
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
