// Waiting for work, but not for ever. The work itself cannot be stopped, only given up; its late result is dropped.

/** The work took longer than its caller was ready to wait. */
export class TimeoutError extends Error {}

/** What is called back with an error, or with the result. */
export type Callback<R> = (error: unknown, result?: R) => void;

export interface TimeLimit<R> {
  readonly ms: number;
  /** The error that the caller gets when the time is up. */
  readonly error: () => Error;
  /** Runs when the time is up, for example to close the connection. */
  readonly onTimeout?: () => void;
  /** Takes a result that came too late and has to be released. */
  readonly onLateResult?: (result: R) => void;
  /** May end the wait early. */
  readonly interrupter?: Interrupter;
}

/** Ends waits early with an error, as a circuit breaker does. */
export interface Interrupter {
  join(fail: (error: Error) => void): void;
  leave(fail: (error: Error) => void): void;
}

/**
 * The result of `work`.
 * @param seconds how long to wait for it
 * @throws TimeoutError with `message` when it takes longer
 */
export function withTimeout<T>(seconds: number, work: () => Promise<T>, message: string): Promise<T> {
  return callWithTimeout<T>(
    (done) =>
      void work().then(
        (result) => done(undefined, result),
        (error: unknown) => done(error ?? new Error(message)),
      ),
    { ms: seconds * 1000, error: () => new TimeoutError(message) },
  );
}

/** The same for callbacks. It runs twice with every statement, so it makes one promise and one timer, and no race. */
export function callWithTimeout<R>(start: (done: Callback<R>) => void, limit: TimeLimit<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    let over = false;
    const end = () => {
      over = true;
      clearTimeout(timer);
      limit.interrupter?.leave(fail);
    };
    const fail = (error: Error) => {
      end();
      reject(error);
    };
    const timer = setTimeout(() => {
      fail(limit.error());
      limit.onTimeout?.();
    }, limit.ms);
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
