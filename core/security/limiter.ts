// Where rate windows and failed sign-ins are counted: in this process, or in Redis for several (L-12).
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { withTimeout } from '../kit/timeout.ts';
import { redisGuessStore } from './guess-redis.ts';
import { memoryGuessStore, type GuessStore } from './guess.ts';
import { redisLimiter } from './limit-redis.ts';
import { memoryLimiter, type Limiter } from './limit.ts';

const CONNECT_SECONDS = 1;
const LOG_EVERY_MS = 60_000;

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
  let logAt = -Infinity;
  client.on('error', (error: Error) => {
    if (performance.now() < logAt) return;
    logAt = performance.now() + LOG_EVERY_MS;
    log.warn({ err: error }, 'Redis is not reachable: trying again');
  });
  // It goes on trying, and tells by 'error' what fails. A Redis that is away must not keep the process from starting: it
  // counts for itself meanwhile.
  const connected = client.connect().then(nothing, nothing);
  await withTimeout(CONNECT_SECONDS, () => connected, 'Redis is away').catch(nothing);
  const use = { client, tenant: config.tenantSlug, log };
  const limiter = redisLimiter(use);
  const close = async () => {
    await limiter.close();
    if (client.isReady) await client.close();
    else client.destroy();
  };
  return { limiter: { ...limiter, close }, guesses: redisGuessStore(use) };
}

function nothing(): void {}
