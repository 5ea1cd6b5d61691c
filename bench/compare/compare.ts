// Compares Keelson with other products on the same database server and the same rows:
// node bench/compare/compare.ts --folder <folder> --port <port> keelson itflow osticket freescout strapi
// RESULTS.md says how to install them.
import { readFileSync, writeFileSync } from 'node:fs';
import { percentile } from '../others.ts';
import { round } from '../report.ts';
import { median } from '../rounds.ts';
import { takeTurn, type Turn } from './driver.ts';
import { startFreescout } from './freescout.ts';
import { startItflow } from './itflow.ts';
import { startKeelson } from './keelson.ts';
import { startOsticket } from './osticket.ts';
import { tasks, type Product, type Setting, type Task } from './product.ts';
import { readSetting, type Asked } from './setting.ts';
import { startStrapi } from './strapi.ts';

const starts: Readonly<Record<string, (setting: Setting) => Promise<Product>>> = {
  keelson: startKeelson,
  itflow: startItflow,
  osticket: startOsticket,
  freescout: startFreescout,
  strapi: startStrapi,
};

/** Milliseconds beyond which only one connection is measured: eight would reach the time-out of the web server. */
const TOO_SLOW = 1000;

interface Figures {
  readonly product: string;
  /** Milliseconds, one request at a time. */
  readonly p50: number;
  readonly p95: number;
  /** Operations per second over all connections; 0 where that was too slow to measure. */
  readonly rate: number;
  /** Times Keelson's. */
  readonly 'p50 ratio': number;
  readonly 'rate ratio': number;
}

const asked = readSetting(process.argv.slice(2));
const products: Product[] = [];
try {
  for (const name of asked.names) {
    const start = starts[name];
    if (!start) throw new Error(`No product is called ${name}`);
    products.push(await start(asked.setting));
  }
  const results: Record<string, readonly Figures[]> = {};
  for (const task of taskNames()) {
    if (asked.tasks.length > 0 && !asked.tasks.includes(task)) continue;
    results[task] = await compare(products, task, asked);
    process.stdout.write(`\n${tasks[task]}\n`);
    process.stdout.write(`${results[task].map((each) => JSON.stringify(each)).join('\n')}\n`);
  }
  const memory = Object.fromEntries(products.map((each) => [each.name, Math.round(memoryMiB(each))]));
  process.stdout.write(`\nmemory after the load, MiB\n${JSON.stringify(memory)}\n`);
  if (asked.json !== undefined) writeFileSync(asked.json, JSON.stringify({ results, memory }, null, 2));
} finally {
  for (const each of products) await each.stop();
}

/** Gives each product a turn with one connection and one with all, in every round; the first round warms up. */
async function compare(
  contenders: readonly Product[],
  task: Task,
  { setting, rounds, seconds }: Asked,
): Promise<Figures[]> {
  const found = contenders.map(() => ({ alone: [] as Turn[], together: [] as Turn[] }));
  for (let turn = 0; turn <= rounds; turn++) {
    for (const [i, { name, port, operations }] of contenders.entries()) {
      try {
        const alone = await takeTurn(port, operations[task], 1, seconds);
        const slow = median(alone.times) > TOO_SLOW;
        const together = slow ? undefined : await takeTurn(port, operations[task], setting.connections, seconds);
        if (turn === 0) continue;
        found[i]?.alone.push(alone);
        if (together) found[i]?.together.push(together);
      } catch (error) {
        throw new Error(`${name} cannot ${task}`, { cause: error });
      }
    }
  }
  const figures = found.map(({ alone, together }) => {
    const times = alone.flatMap((each) => each.times).toSorted((a, b) => a - b);
    const rate = median(together.map((each) => each.times.length / each.seconds));
    return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), rate };
  });
  const [first] = figures;
  return figures.map(({ p50, p95, rate }, i) => ({
    product: contenders[i]?.name ?? '',
    p50: round(p50),
    p95: round(p95),
    rate: round(rate),
    'p50 ratio': round(p50 / (first?.p50 ?? 1)),
    'rate ratio': round(rate / (first?.rate ?? 1)),
  }));
}

/** Returns the proportional memory of a product's processes. */
function memoryMiB(product: Product): number {
  const kilobytes = product
    .pids()
    .map((pid) => /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')));
  return kilobytes.reduce((total, match) => total + Number(match?.[1]), 0) / 1024;
}

function taskNames(): Task[] {
  return ['list', 'deep', 'search', 'queue', 'home', 'create'];
}
