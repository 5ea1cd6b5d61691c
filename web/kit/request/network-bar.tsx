import { useEffect, useState, useSyncExternalStore } from 'react';
import { Icon } from '../components/icon.tsx';
import { t } from '../shell/words.ts';
import { network, onNetwork, type Network } from './network.ts';

/** Status bar for network problems: reads continue from the cache, changes wait. */
export function NetworkBar() {
  const now = useSyncExternalStore(onNetwork, network);
  const seconds = useSecondsUntil(now.pausedUntil);
  const said = sentence(now, seconds);
  if (said === undefined) return null;
  return (
    <div className="offline" role="status">
      <Icon name="alert" /> {said}
    </div>
  );
}

function sentence({ online, silent, waiting }: Network, seconds: number): string | undefined {
  if (!online)
    return [
      t('You’re offline. Changes will be sent when you reconnect.'),
      waiting > 0 && t('{waiting, plural, one {One change is} other {# changes are}} waiting to be sent.', { waiting }),
    ]
      .filter(Boolean)
      .join(' ');
  if (seconds > 0) return t('Too many requests. Retrying in {seconds} s.', { seconds });
  return silent ? t('The server is not responding. This page may be out of date.') : undefined;
}

function useSecondsUntil(at: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (at === 0) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [at]);
  return Math.ceil((at - now) / 1000);
}
