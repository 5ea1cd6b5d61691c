import { useEffect, useState } from 'react';

interface Measured {
  readonly seconds: number;
  readonly started_at: string | null;
}

const TICK_MS = 1000;

/** What a timer has measured, `0:12:05`; it goes on while the timer runs. */
export function Clock({ of: { seconds, started_at } }: { of: Measured }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (started_at === null) return;
    setNow(Date.now());
    const tick = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(tick);
  }, [started_at]);
  const since = started_at === null ? 0 : Math.max(0, Math.floor((now - Date.parse(started_at)) / 1000));
  const all = seconds + since;
  const two = (value: number) => String(value).padStart(2, '0');
  return (
    <span className="timer-clock" role="timer">
      {Math.floor(all / 3600)}:{two(Math.floor(all / 60) % 60)}:{two(all % 60)}
    </span>
  );
}
