// How long requests hold the event loop.
import { threadWorkedMs } from '../../packages/database/sqlite/sqlite-watch.ts';

/**
 * Measures how long this thread ran without yielding. It counts the thread's CPU time: on a busy machine, wall-clock
 * delays are normal.
 */
export function watchLoop(): { stop: () => void; longest: () => number } {
  let last = threadWorkedMs();
  let longest = 0;
  const look = () => {
    const now = threadWorkedMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 2);
  return {
    stop: () => {
      look();
      clearInterval(timer);
    },
    longest: () => longest,
  };
}
