// Timeouts for asynchronous work. The work itself cannot be cancelled, only abandoned; a late result is dropped.

/** The work took longer than its time limit. */
export class TimeoutError extends Error {}

/** A callback that receives an error or a result. */
export type Callback<R> = (error: unknown, result?: R) => void;

export interface TimeLimit<R> {
  readonly ms: number;
  /** Creates the error to throw on timeout. */
  readonly error: () => Error;
  /** Runs on timeout, for example to close the connection. */
  readonly onTimeout?: () => void;
  /** Receives a late result that must be released. */
  readonly onLateResult?: (result: R) => void;
  /** May end the wait early. */
  readonly interrupter?: Interrupter;
  /** The process may end before the timeout. */
  readonly background?: boolean;
}

/** Ends waits early with an error. Implemented by the circuit breaker. */
export interface Interrupter {
  join(fail: (error: Error) => void): void;
  leave(fail: (error: Error) => void): void;
}

/** A time limit is measured in steps. A suspended process uses up only one, and then reads what has arrived meanwhile. */
const STEPS = 10;

/** Calls `late` after `ms`. Stop it with `clearInterval`. */
export function startTimer(ms: number, late: () => void): NodeJS.Timeout {
  let steps = 0;
  const timer = setInterval(() => {
    if (++steps < STEPS) return;
    clearInterval(timer);
    late();
  }, ms / STEPS);
  return timer;
}

/**
 * Returns the result of `work`.
 * @param seconds time limit
 * @param background whether the process may end before
 * @throws TimeoutError with `message` if the work takes longer
 */
export function withTimeout<T>(
  seconds: number,
  work: () => Promise<T>,
  message: string,
  { background = false }: Pick<TimeLimit<T>, 'background'> = {},
): Promise<T> {
  return callWithTimeout<T>(
    (done) =>
      void work().then(
        (result) => done(undefined, result),
        (error: unknown) => done(error ?? new Error(message)),
      ),
    { ms: seconds * 1000, error: () => new TimeoutError(message), background },
  );
}

/**
 * Runs callback-style work with a timeout. It runs twice per statement, so it uses one promise, one timer and no race.
 */
export function callWithTimeout<R>(start: (done: Callback<R>) => void, limit: TimeLimit<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    let over = false;
    const end = () => {
      over = true;
      clearInterval(timer);
      limit.interrupter?.leave(fail);
    };
    const fail = (error: Error) => {
      end();
      reject(error);
    };
    const timer = startTimer(limit.ms, () => {
      fail(limit.error());
      limit.onTimeout?.();
    });
    if (limit.background) timer.unref();
    limit.interrupter?.join(fail);
    try {
      start((error, result) => {
        if (over) {
          if (!error) limit.onLateResult?.(result as R);
          return;
        }
        end();
        if (error) reject(error);
        else resolve(result as R);
      });
    } catch (error) {
      end();
      reject(error);
    }
  });
}
