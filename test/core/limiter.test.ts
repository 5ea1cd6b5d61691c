import test from 'ava';
import { readConfig } from '../../config/config.ts';
import { createLogger } from '../../packages/log/log.ts';
import { openCounters } from '../../packages/security/limiter.ts';
import { freePort } from '../faults/_node.ts';

test('an unreachable Redis prevents neither start-up nor shutdown', async (t) => {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', destination: { write: (line) => lines.push(line) } });
  const config = readConfig({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
  const { limiter } = await openCounters(config, log);
  const taken = [await limiter.take('a', 2), await limiter.take('a', 2), await limiter.take('a', 2)];
  t.deepEqual(
    taken.map(({ allowed }) => allowed),
    [true, true, false],
  );
  await limiter.close();
  t.is(lines.filter((line) => line.includes('Redis is unreachable')).length, 1);
});
