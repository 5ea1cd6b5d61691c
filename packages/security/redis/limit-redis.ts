// Rate limits shared by all processes of an installation (L-12): a sorted set of times per bucket, by Redis's clock.
import { describe, freeIn, memoryLimiter, WINDOW_MS, type Charge, type Limiter, type Window } from '../limit.ts';
import { redisKey, redisScripts, type RedisUse } from './redis-script.ts';

export interface RedisLimiterOptions extends RedisUse {
  readonly windowMs?: number;
}

// Times are whole microseconds as text, because Lua rounds numbers to 14 digits. The count is part of each member, so
// that two calls in the same microsecond differ. A set expires one window after its last call.
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = tonumber(ARGV[1])
local text = string.format('%.0f', now)
local gone = string.format('%.0f', now - window)
local counts = {}
local room = 1
for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', gone)
  counts[i] = redis.call('ZCARD', key)
  if counts[i] >= tonumber(ARGV[i + 1]) then room = 0 end
end
local result = { room, text }
for i, key in ipairs(KEYS) do
  if room == 1 then
    redis.call('ZADD', key, text, text .. '-' .. counts[i])
    redis.call('PEXPIRE', key, string.format('%.0f', window / 1000 + 1000))
    counts[i] = counts[i] + 1
  end
  local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2] or text
  local at = counts[i] - tonumber(ARGV[i + 1])
  local frees = at >= 0 and redis.call('ZRANGE', key, at, at, 'WITHSCORES')[2] or ''
  table.insert(result, { counts[i], oldest, frees })
end
return result`;

/** Counts in Redis, or in this process while Redis does not respond. `close` does not close the client. */
export function redisLimiter(options: RedisLimiterOptions): Limiter {
  const { tenant, windowMs = WINDOW_MS } = options;
  const script = redisScripts(options, 'Redis is not responding: rate limits are counted per process')(TAKE);
  const fallback = memoryLimiter({ windowMs });

  async function takeEach(charges: readonly Charge[]): Promise<readonly Window[]> {
    const keys = charges.map(({ bucket }) => redisKey(tenant, 'limit', bucket));
    const values = [windowMs * 1000, ...charges.map(({ limit }) => limit)].map(String);
    const reply = await script(keys, values);
    return reply === undefined ? fallback.takeEach(charges) : windowsOf(reply, charges, windowMs);
  }

  return {
    take: async (bucket, limit) => (await takeEach([{ bucket, limit }]))[0]!,
    takeEach,
    close: () => fallback.close(),
  };
}

function windowsOf(reply: unknown, charges: readonly Charge[], windowMs: number): readonly Window[] {
  const [room, text, ...rows] = Array.isArray(reply) ? reply : [];
  const now = Number(text);
  return charges.map(({ limit }, i) => {
    const [count, oldest, frees] = rows[i];
    return describe({
      allowed: room === 1 || count < limit,
      limit,
      count,
      resetInMs: (Number(oldest) - now) / 1000 + windowMs,
      freeInMs: freeIn(limit, count, windowMs, () => (Number(frees) - now) / 1000),
      unixMs: now / 1000,
    });
  });
}
