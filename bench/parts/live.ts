import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { largest } from '../bench.ts';
import { serveDatabase } from '../filled.ts';
import { cpuSeconds, residentMiB } from '../node-process.ts';
import { round } from '../report.ts';
import { openStreams } from '../streams.ts';

const SECONDS = 20;
/** Events reach the streams within this time. */
const SETTLE_MS = 2000;

/** Measures what open event streams cost the process: idle, and with a broadcast change every second. */
export default async function live({ options, report, database: of }: Bench): Promise<void> {
  const database = await of(largest(options));
  const product = await serveDatabase(database);
  const tokens = database.tokens.map(({ token }) => token);
  try {
    await wait(3000);
    const before = residentMiB(product.pid);
    const streams = await openStreams(product.port, '/helpdesk/api/v1/live', tokens);
    await wait(SETTLE_MS);
    const change = outageChanger(product.port, database.key);
    await change();
    await wait(SETTLE_MS);
    streams.told();
    const idle = await shareOfCore(product.pid, () => wait(SECONDS * 1000));
    const alone = streams.told();
    const busy = await shareOfCore(product.pid, async () => {
      for (let i = 0; i < SECONDS; i++) {
        await change();
        await wait(1000);
      }
    });
    await wait(SETTLE_MS);
    const told = streams.told();
    if (alone > 0 || told !== SECONDS * tokens.length) throw new Error(`${alone} + ${told} were notified`);
    const grown = residentMiB(product.pid) - before;
    streams.close();
    const row = { streams: tokens.length, 'MiB more': grown, 'core at rest': idle, 'core, a change a second': busy };
    report.table('Open streams of changes', [
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, round(value)])),
    ]);
    report.measured('liveMemory', grown);
    report.measured('liveCpu', busy);
  } finally {
    await product.stop();
  }
}

/** Returns the share of a core that a process uses while `work` runs. */
async function shareOfCore(pid: number, work: () => Promise<unknown>): Promise<number> {
  const [began, used] = [performance.now(), cpuSeconds(pid)];
  await work();
  return ((cpuSeconds(pid) - used) * 1000) / (performance.now() - began);
}

/** Returns a function that changes an outage, which every customer can see. */
function outageChanger(port: number, key: string): () => Promise<void> {
  const ask = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<{ outage_id?: number; service_id?: number }> => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const wanted = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`http://127.0.0.1:${port}/admin/api/v1${path}`, wanted);
    if (!answer.ok) throw new Error(`${method} ${path} responded ${answer.status}: ${await answer.text()}`);
    const { data } = (await answer.json()) as { data: object };
    return Array.isArray(data) ? data[0] : data;
  };
  let id: number | undefined;
  let n = 0;
  return async () => {
    const body = { title: `Outage ${n++}`, severity: 'minor' };
    if (id !== undefined) return void (await ask('PUT', `/outages.php?id=${id}`, body));
    const { service_id } = await ask('GET', '/outage-services.php');
    ({ outage_id: id } = await ask('POST', '/outages.php', { ...body, service_id }));
  };
}
