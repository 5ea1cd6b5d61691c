// Connects to Redis: to one server, or through Sentinel to whichever server is the primary.
import { addressesOf } from '@keelson/kit/addresses.ts';

export const SENTINEL = 'redis+sentinel:';
/** The query parameter of the address that holds the password of the Sentinels. */
const SENTINEL_PASSWORD = 'sentinel_password';

/** The part of a Redis client in use. */
export interface Redis {
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  publish(channel: string, message: string): Promise<number>;
  subscribe(channel: string, heard: (message: string) => void): Promise<void>;
  on(event: 'error', heard: (error: Error) => void): unknown;
  close(): Promise<unknown>;
  destroy(): unknown;
}

/**
 * Returns clients of a REDIS_URL, not yet connected: one for commands, and one that listens, because a server's
 * connection that listens can do nothing else. With Sentinel they are the same, which keeps connections for both.
 */
export async function redisClients(url: string): Promise<{ client: Redis; ears: Redis }> {
  // Loaded on demand, because the client takes a sixth of an idle server's memory.
  const { createClient, createSentinel } = await import('@redis/client');
  if (!url.startsWith(SENTINEL)) {
    const client = createClient({ url });
    return { client, ears: client.duplicate() };
  }
  const sentinels = addressesOf(url).map((each) => new URL(each));
  const [{ username, password, pathname, searchParams } = new URL(url)] = sentinels;
  const sentinelPassword = searchParams.get(SENTINEL_PASSWORD);
  const client = createSentinel({
    name: decodeURIComponent(pathname.slice(1)),
    sentinelRootNodes: sentinels.map(({ hostname: host, port }) => ({ host, port: Number(port || 26_379) })),
    ...(sentinelPassword && { sentinelClientOptions: { password: sentinelPassword } }),
    nodeClientOptions: {
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
    },
  });
  return { client, ears: client };
}
