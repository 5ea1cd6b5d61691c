import { useEffect, useState } from 'react';

interface Measured {
  readonly seconds: number;
  readonly started_at: string | null;
}

const TICK_MS = 1000;

interface Timed extends Measured {
  readonly rounding: { readonly step_minutes: number; readonly least_minutes: number };
}

/** Returns the minutes that would be logged now, rounded as configured; 0 without a timer. */
export function useMinutes(timer: Timed | undefined): number {
  const seconds = useSeconds(timer ?? { seconds: 0, started_at: null });
  if (!timer) return 0;
  const { step_minutes, least_minutes } = timer.rounding;
  return Math.ceil(Math.max(seconds / 60, least_minutes) / step_minutes) * step_minutes;
}

/** Returns the measured seconds, which keep counting while the timer runs. */
function useSeconds({ seconds, started_at }: Measured): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (started_at === null) return;
    setNow(Date.now());
    const tick = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(tick);
  }, [started_at]);
  const since = started_at === null ? 0 : Math.max(0, Math.floor((now - Date.parse(started_at)) / 1000));
  return seconds + since;
}

/** Displays a timer's measured time: `0:12:05`. */
export function Clock({ of }: { of: Measured }) {
  const all = useSeconds(of);
  const two = (value: number) => String(value).padStart(2, '0');
  return (
    <span className="timer-clock" role="timer">
      {Math.floor(all / 3600)}:{two(Math.floor(all / 60) % 60)}:{two(all % 60)}
    </span>
  );
}
