import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { freePort, startNode, statusOf } from '../faults/_node.ts';
import { makePlace, server } from '../faults/_place.ts';

const redisUrl = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

/** Returns the process ids of the children of `pid` that run this part. */
function childrenOf(pid: number | undefined, part: 'web' | 'jobs'): number[] {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.endsWith(`--only=${part}`)).map((line) => Number.parseInt(line, 10));
}

/** Returns the metrics once a scrape succeeds; on a busy machine, a process may not answer the others in time. */
async function metricsOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/metrics`, { headers: { Connection: 'close' } });
  const text = await answer.text();
  return answer.ok ? text : metricsOf(url);
}

// Several processes need a database server and Redis.
const onServer = server ? test.serial : test.serial.skip;

onServer(
  'several web processes serve one port, a killed one is replaced, and the metrics are those of all',
  async (t) => {
    const place = await makePlace(t);
    const env = { ...place.env, LOG_LEVEL: 'info', REDIS_URL: redisUrl, WEB_PROCESSES: '2' };
    const node = startNode(t, { env }, await freePort());
    await node.ready();
    while (childrenOf(node.child.pid, 'jobs').length < 1 || childrenOf(node.child.pid, 'web').length < 2)
      await sleep(50);
    // Both have started once each has logged it, in one line.
    const listening = () => new Set(node.said().match(/"pid":\d+(?=,"port":\d+,"msg":"Keelson is listening")/g)).size;
    while (listening() < 3) await sleep(50);

    const answers: number[] = [];
    for (let i = 0; i < 20; i++) {
      const headers = { Authorization: `Bearer ${place.key}`, Connection: 'close' };
      const answer = await fetch(`${node.url}/admin/api/v1/tickets.php`, { headers });
      await answer.text();
      answers.push(answer.status);
    }
    t.deepEqual(
      answers,
      Array.from({ length: 20 }, () => 200),
    );
    const counted = /keelson_requests_total\{[^}]*route="admin GET \/tickets.php"[^}]*\} (\d+)/.exec(
      await metricsOf(node.url),
    );
    t.is(counted?.[1], '20', 'the requests of both processes');

    const [killed = 0, other] = childrenOf(node.child.pid, 'web');
    process.kill(killed, 'SIGKILL');
    while (childrenOf(node.child.pid, 'web').includes(killed)) await sleep(10);
    // A connection that the parent process gives to the killed one before it knows is lost with it.
    while ((await statusOf(`${node.url}/ready`)) !== 200) await sleep(50);
    t.true(childrenOf(node.child.pid, 'web').includes(other ?? 0), 'the other one serves');
    while (childrenOf(node.child.pid, 'web').length < 2 || listening() < 4) await sleep(50);
    t.regex(node.said(), /A web process ended with SIGKILL; starting another one\./);

    const second = startNode(t, { env }, Number(new URL(node.url).port));
    t.is(await second.end('SIGCONT'), 1, 'processes that cannot start end together');
    t.regex(second.said(), /in use/);

    t.is(await node.end('SIGTERM'), 0);
    t.is(await statusOf(`${node.url}/ready`), 0, 'nothing serves any more');
  },
);

test.serial('several processes require a database server and Redis', async (t) => {
  const node = startNode(t, { env: { WEB_PROCESSES: '2' } }, await freePort());
  t.is(await node.end('SIGCONT'), 1);
  t.is(node.said(), 'WEB_PROCESSES above 1 requires DATABASE_URL and REDIS_URL.');
});
