// Rate limits and change notifications through Redis Sentinel, while the primary is lost.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import pino from 'pino';
import { readConfig } from '../../config/config.ts';
import { newId } from '../../packages/kit/random.ts';
import { openCounters } from '../../packages/security/limiter.ts';
import { makeFolder } from '../_folder.ts';
import { until } from '../_until.ts';
import { freePort } from '../faults/_node.ts';

/** The Sentinel and the servers have different passwords. */
const WATCHED_BY = 'a word of the watchers';
const SERVED_WITH = 'a word of the servers';

/** Runs Redis and waits until it answers; ends it with the test. */
async function redis(t: ExecutionContext, port: number, ...options: string[]): Promise<ChildProcess> {
  const bind = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', options[0]?.endsWith('.conf') ? options : [...bind, ...options], {
    stdio: 'ignore',
  });
  t.teardown(() => child.kill('SIGKILL'));
  for (;;) {
    const socket = createConnection(port, '127.0.0.1');
    const answers = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (answers) return child;
    await sleep(20);
  }
}

test('processes share limits and notifications through Sentinel, also after the primary is lost', async (t) => {
  // Sentinel waits for thirty seconds after it was suspended.
  const folder = makeFolder(t);
  const [first, second, watcher] = [await freePort(), await freePort(), await freePort()];
  const own = ['--dir', folder, '--requirepass', SERVED_WITH, '--masterauth', SERVED_WITH];
  const primary = await redis(t, first, ...own);
  await redis(t, second, ...own, '--replicaof', '127.0.0.1', String(first));
  const settings = [
    `port ${watcher}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor shared 127.0.0.1 ${first} 1`,
    `requirepass "${WATCHED_BY}"`,
    `sentinel auth-pass shared "${SERVED_WITH}"`,
    'sentinel down-after-milliseconds shared 500',
    'sentinel failover-timeout shared 3000',
  ];
  const file = join(folder, 'sentinel.conf');
  writeFileSync(file, `${settings.join('\n')}\n`);
  await redis(t, watcher, file, '--sentinel');
  const [watchedBy, servedWith] = [WATCHED_BY, SERVED_WITH].map(encodeURIComponent);
  const redisUrl = `redis+sentinel://:${servedWith}@127.0.0.1:${watcher}/shared?sentinel_password=${watchedBy}`;
  const config = readConfig({ REDIS_URL: redisUrl, TENANT_SLUG: `sentinel-${newId()}`.slice(0, 40).toLowerCase() });
  const log = pino({ level: 'silent' });
  const [here, there] = [await openCounters(config, log), await openCounters(config, log)];
  t.teardown(() => Promise.all([here.limiter.close(), there.limiter.close()]));
  const heard: string[] = [];
  there.others.listen((what) => void heard.push(what));
  const shared = async (bucket: string) => {
    await here.limiter.take(bucket, 2);
    await here.limiter.take(bucket, 2);
    return !(await there.limiter.take(bucket, 2)).allowed;
  };
  // Sentinel takes a moment to name another primary.
  let tried = 0;
  const anew = () => shared(`bucket ${tried++}`);
  await until(anew);
  await until(() => {
    here.others.tell('one');
    return heard.includes('one');
  });
  primary.kill('SIGKILL');
  await once(primary, 'exit');
  t.true((await here.limiter.take('meanwhile', 1)).allowed, 'no request fails meanwhile');
  await until(anew);
  await until(() => {
    here.others.tell('two');
    return heard.includes('two');
  });
  t.pass();
});

test('REDIS_URL names one server, or several with Sentinel', (t) => {
  const read = (REDIS_URL: string) => readConfig({ REDIS_URL }).redisUrl;
  for (const good of ['redis://a:1', 'rediss://user:word@a', 'redis+sentinel://a:1,b:2,c/main?sentinel_password=x'])
    t.is(read(good), good);
  for (const bad of ['redis://a:1,b:2', 'redis+sentinel://a:1,b:2', 'redis+sentinel://a/two/names', 'http://a'])
    t.throws(() => read(bad), { message: /REDIS_URL/ }, bad);
});
