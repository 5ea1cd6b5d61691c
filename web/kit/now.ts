import { useEffect, useReducer } from 'react';

const TICK_MS = 30_000;

/** Returns the current time (ms). Keeps relative times right on pages that are left open. */
export function useNow(): number {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Date.now();
}
