// A clock for time limits, which stands still while the process is suspended or its event loop is held.

const TICK_MS = 100;
/** A longer gap between two looks counts as one tick. */
const MOST_GAP_MS = 5 * TICK_MS;

/** Returns the milliseconds for which this process has been awake since some moment. */
export const awakeMs = startClock();

function startClock(): () => number {
  let ticking: NodeJS.Timeout | undefined;
  let last = performance.now();
  let awake = 0;
  const look = (): number => {
    ticking ??= setInterval(look, TICK_MS).unref();
    const now = performance.now();
    awake += now - last > MOST_GAP_MS ? TICK_MS : now - last;
    last = now;
    return awake;
  };
  return look;
}
