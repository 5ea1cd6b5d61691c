// Lua scripts on Redis, for the counters that several processes share. A request never waits long for Redis and never
// fails because of it: without an answer the caller uses the counters of its own process.
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { withTimeout } from '../kit/timeout.ts';

/** The part of the `redis` client that is used here. */
export interface RedisClient {
  readonly isReady: boolean;
  eval(script: string, options: ScriptInput): Promise<unknown>;
  evalSha(sha: string, options: ScriptInput): Promise<unknown>;
}

interface ScriptInput {
  keys: string[];
  arguments: string[];
}

export interface RedisUse {
  readonly client: RedisClient;
  /** Part of every key, because several tenants and installations may share a Redis. */
  readonly tenant: string;
  readonly log: Pick<Logger, 'warn'>;
}

/** Runs the script; answers undefined when Redis gives no answer. */
export type Script = (keys: readonly string[], values: readonly string[]) => Promise<unknown>;

const TIMEOUT_MS = 250;
const PAUSE_MS = 1000;
const LOG_EVERY_MS = 60_000;

/**
 * Prepares scripts that share one view of whether Redis answers. After a failure none of them is sent for a second, so
 * that not every request waits for the timeout; meanwhile `warning` is logged once a minute.
 */
export function redisScripts({ client, log }: RedisUse, warning: string): (lua: string) => Script {
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
      // A client that is reconnecting would queue the command until it is connected again.
      if (!client.isReady) return onFailure(new Error('Redis is not connected'));
      const input = { keys: [...keys], arguments: [...values] };
      const late = `Redis gave no answer within ${TIMEOUT_MS} ms`;
      return withTimeout(TIMEOUT_MS / 1000, () => call(client, sha, lua, input), late).catch(onFailure);
    };
  };
}

/** A key in Redis. The braces are a hash tag: they keep a tenant's keys on one node of a cluster, as scripts require. */
export function redisKey(tenant: string, kind: string, name: string): string {
  return `keelson:{${tenant}}:${kind}:${name}`;
}

async function call(client: RedisClient, sha: string, lua: string, input: ScriptInput): Promise<unknown> {
  try {
    return await client.evalSha(sha, input);
  } catch (error) {
    // Redis forgets scripts when it restarts.
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return client.eval(lua, input);
  }
}
