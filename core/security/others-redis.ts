// Tells the other processes of an installation, over Redis, what has changed (others.ts).
import type { Others } from './others.ts';
import { redisKey } from './redis-script.ts';

/** The part of the `redis` client that is used here. */
interface Client {
  readonly isReady: boolean;
  publish(channel: string, message: string): Promise<number>;
  subscribe(channel: string, heard: (message: string) => void): Promise<void>;
}

/** @param ears a client of its own: one that listens can do nothing else */
export function redisOthers(client: Client, ears: Client, tenant: string): Others {
  const channel = redisKey(tenant, 'changed', 'tables');
  const listeners: ((what: string) => void)[] = [];
  // The client waits with it until Redis is there, and repeats it with every reconnection.
  ears
    .subscribe(channel, (what) => {
      for (const each of listeners) each(what);
    })
    // Its failures are events of the client, which are logged (limiter.ts).
    .catch(() => undefined);
  return {
    tell(what) {
      // While Redis is away the others read anew within two seconds; the client's failures are logged.
      if (client.isReady) client.publish(channel, what).catch(() => undefined);
    },
    listen: (heard) => void listeners.push(heard),
  };
}
