// Lua scripts on Redis, for counters shared by several processes. A request never waits long for Redis and never fails
// because of it: without a reply the caller falls back to its process's counters.
import { createHash } from 'node:crypto';
import { withTimeout } from '@keelson/kit/timeout.ts';
import type { Logger } from 'pino';
import type { Redis } from './redis-client.ts';

/** The part of a client that runs scripts. */
export type RedisClient = Pick<Redis, 'isReady' | 'eval' | 'evalSha'>;

export interface RedisUse {
  readonly client: RedisClient;
  /** Part of every key, because several tenants and installations may share one Redis. */
  readonly tenant: string;
  readonly log: Pick<Logger, 'warn'>;
  /** How long a script may take before the caller counts by itself. 250 by default. */
  readonly timeoutMs?: number;
}

/** Runs the script. Returns undefined if Redis does not reply. */
export type Script = (keys: readonly string[], values: readonly string[]) => Promise<unknown>;

const TIMEOUT_MS = 250;
const PAUSE_MS = 1000;
const LOG_EVERY_MS = 60_000;

/**
 * Prepares scripts that share one circuit breaker. After a failure none is sent for a second, so that requests do not
 * all wait for the timeout. Meanwhile `warning` is logged once a minute.
 */
export function redisScripts(
  { client, log, timeoutMs = TIMEOUT_MS }: RedisUse,
  warning: string,
): (lua: string) => Script {
  let quietUntil = 0;
  let logAt = 0;

  function onFailure(error: unknown): undefined {
    const now = performance.now();
    quietUntil = now + PAUSE_MS;
    if (now < logAt) return;
    logAt = now + LOG_EVERY_MS;
    log.warn({ err: error }, warning);
  }

  return (lua) => {
    const sha = createHash('sha1').update(lua).digest('hex');
    return async (keys, values) => {
      if (performance.now() < quietUntil) return undefined;
      // A reconnecting client would queue the command.
      if (!client.isReady) return onFailure(new Error('Redis is not connected'));
      const input = { keys: [...keys], arguments: [...values] };
      const late = `Redis did not respond within ${timeoutMs} ms`;
      return withTimeout(timeoutMs / 1000, () => call(client, sha, lua, input), late).catch(onFailure);
    };
  };
}

/**
 * Returns a Redis key. The braces are a hash tag that keeps a tenant's keys on one cluster node, as scripts require.
 */
export function redisKey(tenant: string, kind: string, name: string): string {
  return `keelson:{${tenant}}:${kind}:${name}`;
}

async function call(
  client: RedisClient,
  sha: string,
  lua: string,
  input: Parameters<Redis['eval']>[1],
): Promise<unknown> {
  try {
    return await client.evalSha(sha, input);
  } catch (error) {
    // Redis loses its scripts on restart.
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return client.eval(lua, input);
  }
}
