// Lua scripts on Redis, for the counters that several processes share. A request never waits long for Redis, nor fails
// because of it: the caller then goes on with what this process knows.
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';

/** What of a `redis` client is used. */
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
  /** Which tenant's keys these are: two installations may share a Redis. */
  readonly tenant: string;
  readonly log: Pick<Logger, 'warn'>;
}

/** The script's answer; undefined when Redis gave none. */
export type Script = (keys: readonly string[], values: readonly string[]) => Promise<unknown>;

const DEADLINE_MS = 250;
const PAUSE_MS = 1000;
const LOG_EVERY_MS = 60_000;

/**
 * Prepares scripts that share one verdict on whether Redis answers. After a failure Redis is left alone for a second, so
 * that not every request waits for the deadline; `complaint` is logged once a minute meanwhile.
 */
export function redisScripts({ client, log }: RedisUse, complaint: string): (lua: string) => Script {
  let quietUntil = 0;
  let logAt = 0;

  function complain(error: unknown): undefined {
    const now = performance.now();
    quietUntil = now + PAUSE_MS;
    if (now < logAt) return;
    logAt = now + LOG_EVERY_MS;
    log.warn({ err: error }, complaint);
  }

  return (lua) => {
    const sha = createHash('sha1').update(lua).digest('hex');
    return async (keys, values) => {
      if (performance.now() < quietUntil) return undefined;
      // A client that is reconnecting would keep the command until it succeeds.
      if (!client.isReady) return complain(new Error('Redis is not connected'));
      const input = { keys: [...keys], arguments: [...values] };
      return withDeadline(call(client, sha, lua, input)).catch(complain);
    };
  };
}

/** The name of a key; the braces keep a tenant's keys on one node of a cluster, as scripts need. */
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

async function withDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis gave no answer within ${DEADLINE_MS} ms`)), DEADLINE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
