// Opens the state shared by an installation's processes: request and sign-in failure counters (L-12), in this process
// or in Redis, and change notifications.
import { withTimeout } from '@keelson/kit/timeout.ts';
import type { Logger } from 'pino';
import { memoryGuessStore, type GuessStore } from './guess/guess-store.ts';
import { memoryLimiter, type Limiter } from './limit.ts';
import { alone, type Others } from './others.ts';
import { redisGuessStore } from './redis/guess-redis.ts';
import { redisLimiter } from './redis/limit-redis.ts';
import { redisOthers } from './redis/others-redis.ts';
import { redisClients } from './redis/redis-client.ts';

const CONNECT_SECONDS = 1;
const LOG_EVERY_MS = 60_000;

export interface Counters {
  readonly limiter: Limiter;
  readonly guesses: GuessStore;
  readonly others: Others;
}

export interface CountersConfig {
  /** Without it, counts are kept in this process. */
  readonly redisUrl?: string | undefined;
  /** Separates the keys of installations that share a Redis. */
  readonly tenantSlug: string;
}

/** Opens the counters for a configuration. Closing the limiter also closes their shared connection. */
export async function openCounters(config: CountersConfig, log: Logger): Promise<Counters> {
  if (!config.redisUrl) return { limiter: memoryLimiter(), guesses: memoryGuessStore(), others: alone };
  const { client, ears } = await redisClients(config.redisUrl);
  const clients = new Set([client, ears]);
  let logAt = -Infinity;
  const onError = (error: Error) => {
    if (performance.now() < logAt) return;
    logAt = performance.now() + LOG_EVERY_MS;
    log.warn({ err: error }, 'Redis is unreachable: retrying');
  };
  for (const each of clients) each.on('error', onError);
  // The client keeps reconnecting and emits 'error'. The process must start even when Redis is down, and counts locally
  // until then.
  const connected = Promise.all([...clients].map((each) => each.connect())).then(nothing, nothing);
  await withTimeout(CONNECT_SECONDS, () => connected, 'Redis is unavailable').catch(nothing);
  const use = { client, tenant: config.tenantSlug, log };
  const limiter = redisLimiter(use);
  const close = async () => {
    await limiter.close();
    for (const each of clients) await (each.isReady ? each.close() : each.destroy());
  };
  const others = redisOthers(client, ears, config.tenantSlug);
  return { limiter: { ...limiter, close }, guesses: redisGuessStore(use), others };
}

function nothing(): void {}
