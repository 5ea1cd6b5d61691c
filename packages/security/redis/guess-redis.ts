// Failed sign-ins shared by all processes: one record per account, updated by compare-and-swap.
import { memoryGuessStore, type Guesses, type GuessStore } from '../guess/guess-store.ts';
import { keepMs } from '../guess/guess.ts';
import { redisKey, redisScripts, type RedisUse } from './redis-script.ts';

const READ = `return redis.call('GET', KEYS[1]) or ''`;
const REPLACE = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1`;
const TRIES = 8;

/** Stores guesses in Redis, or in this process while Redis does not respond. */
export function redisGuessStore(use: RedisUse): GuessStore {
  const prepare = redisScripts(use, 'Redis is not responding: sign-in failures are counted per process');
  const read = prepare(READ);
  const replace = prepare(REPLACE);
  const fallback = memoryGuessStore();

  return {
    async change(name, step) {
      const key = redisKey(use.tenant, 'guess', name);
      for (let i = 0; i < TRIES; i++) {
        const before = await read([key], []);
        if (typeof before !== 'string') return fallback.change(name, step);
        const { after, answer } = step(before === '' ? undefined : guessesFrom(before));
        const text = after ? JSON.stringify(after) : '';
        const done = text === before ? 1 : await replace([key], [before, text, String(after ? keepMs(after) : 0)]);
        if (done === undefined) return fallback.change(name, step);
        if (done === 1) return { answer };
      }
      return undefined;
    },
  };
}

function guessesFrom(text: string): Guesses {
  return JSON.parse(text);
}
