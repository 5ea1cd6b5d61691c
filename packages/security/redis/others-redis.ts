// Notifies an installation's other processes of changes through Redis (others.ts).
import type { Others } from '../others.ts';
import type { Redis } from './redis-client.ts';
import { redisKey } from './redis-script.ts';

/** @param ears the client that listens */
export function redisOthers(client: Redis, ears: Redis, tenant: string): Others {
  const channel = redisKey(tenant, 'changed', 'tables');
  const listeners: ((what: string) => void)[] = [];
  // The client defers the subscription until Redis is reachable and renews it on every reconnect.
  ears
    .subscribe(channel, (what) => {
      for (const each of listeners) each(what);
    })
    // The client emits its failures as events, which limiter.ts logs.
    .catch(() => undefined);
  return {
    tell(what) {
      // While Redis is down, other processes refresh within two seconds. The client's failures are logged.
      if (client.isReady) client.publish(channel, what).catch(() => undefined);
    },
    listen: (heard) => void listeners.push(heard),
  };
}
