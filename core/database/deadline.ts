// Deadlines for what may never answer, and the breaker that stops asking after three misses in a row.
import { away } from './database-error.ts';

/** Misses in a row after which nobody waits any more. */
const MISSES = 3;
const PROBE_EVERY_MS = 250;
/** Misses count only when nobody was answered for so long: those who wait for a busy pool all miss at once. */
const SILENT_MS = 500;

/** The outcome of `work`, or `onLate` is called and it throws `unavailable()`. A late outcome is dropped. */
export function withDeadline<R>(work: Promise<R>, ms: number, onLate: () => void): Promise<R> {
  return callWithTimeout((done) => void work.then((value) => done(undefined, value), done), { ms, onLate });
}

/** What is called back with an error, or with what was asked for. */
export type Done<R> = (error: unknown, value?: R) => void;

export interface Waiting<R> {
  readonly ms: number;
  /** Nobody waits any more. */
  readonly onLate: () => void;
  /** A value that came too late, and that somebody has to put away. */
  readonly onLeftOver?: (value: R) => void;
}

/**
 * The same for drivers that call back: one promise and one timer, because it happens twice with every statement. Throws
 * as soon as the breaker opens, when one is given.
 */
export function callWithTimeout<R>(start: (done: Done<R>) => void, waiting: Waiting<R>, breaker?: Breaker): Promise<R> {
  return new Promise((resolve, reject) => {
    let over = false;
    const settle = () => {
      over = true;
      clearTimeout(timer);
      breaker?.leave(fail);
    };
    const fail = (error: Error) => {
      settle();
      reject(error);
    };
    const timer = setTimeout(() => {
      fail(away(`No answer within ${Math.round(waiting.ms)} ms`));
      waiting.onLate();
    }, waiting.ms);
    breaker?.join(fail);
    try {
      start((error, value) => {
        if (over) {
          if (!error) waiting.onLeftOver?.(value as R);
          return;
        }
        settle();
        if (error) reject(error);
        else resolve(value as R);
      });
    } catch (error) {
      settle();
      reject(error);
    }
  });
}

export interface Breaker {
  /** Throws `unavailable()` while the database is known not to answer. */
  check(): void;
  /** `fail` is called with `unavailable()` when the breaker opens, unless it left before. */
  join(fail: (error: Error) => void): void;
  leave(fail: (error: Error) => void): void;
  readonly missed: () => void;
  readonly answered: () => void;
  readonly close: () => void;
}

export interface BreakerOptions {
  /** Asks the database on a connection of its own; true when it answers. */
  readonly probe: () => Promise<boolean>;
  /** The database stopped answering. */
  readonly onOpen: () => void;
  readonly onHeal: () => void;
}

/** Opens after three misses in a row, and closes when a probe, every quarter of a second, is answered. */
export function breaker({ probe, onOpen, onHeal }: BreakerOptions): Breaker {
  let misses = 0;
  let lastAnswer = -Infinity;
  let open = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Set<(error: Error) => void>();

  const ask = async () => {
    const heals = await probe();
    if (closed) return;
    if (!heals) return askLater();
    misses = 0;
    open = false;
    onHeal();
  };
  const askLater = () => {
    timer = setTimeout(() => void ask(), PROBE_EVERY_MS).unref();
  };
  const trip = () => {
    open = true;
    for (const fail of waiting) fail(away('The database does not answer'));
    onOpen();
    askLater();
  };

  return {
    check: () => {
      if (open) throw away('The database does not answer');
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
