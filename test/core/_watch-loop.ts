// How long requests hold the event loop.
/**
 * Measures how long this thread ran without yielding. It counts the thread's CPU time: on a busy machine, wall-clock
 * delays are normal.
 */
export function watchLoop(): { stop: () => void; longest: () => number } {
  let last = worked();
  let longest = 0;
  const look = () => {
    const now = worked();
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

function worked(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
