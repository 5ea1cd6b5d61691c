// Where rate windows and failed sign-ins are counted: in this process, or in Redis for several (L-12).
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { redisGuessStore } from './guess-redis.ts';
import { memoryGuessStore, type GuessStore } from './guess.ts';
import { redisLimiter } from './limit-redis.ts';
import { memoryLimiter, type Limiter } from './limit.ts';

export interface Counters {
  readonly limiter: Limiter;
  readonly guesses: GuessStore;
}

/** The counters a configuration asks for. Closing the limiter ends the connection they share. */
export async function openCounters(config: Config, log: Logger): Promise<Counters> {
  if (!config.redisUrl) return { limiter: memoryLimiter(), guesses: memoryGuessStore() };
  // Loaded only where it is used: the client is a sixth of the memory of an idle server.
  const { createClient } = await import('redis');
  const client = createClient({ url: config.redisUrl });
  client.on('error', (error: Error) => log.warn({ err: error }, 'Redis is not reachable'));
  await client.connect();
  const use = { client, tenant: config.tenantSlug, log };
  const limiter = redisLimiter(use);
  const close = async () => {
    await limiter.close();
    await client.close();
  };
  return { limiter: { ...limiter, close }, guesses: redisGuessStore(use) };
}
