import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { largest } from '../bench.ts';
import { adminList, serveDatabase } from '../filled.ts';
import { residentMiB } from '../node-process.ts';
import { round } from '../report.ts';
import { median } from '../rounds.ts';

const STARTS = 5;
const BUSY_SECONDS = 60;

/** Measures start-up time and resident memory. */
export default async function start({ options, report, loader, database: of }: Bench): Promise<void> {
  const empty = await of(0);
  const seconds: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const product = await serveDatabase(empty);
    seconds.push(product.seconds);
    await product.stop();
  }
  const database = await of(largest(options));
  const product = await serveDatabase(database);
  try {
    await wait(5000);
    const idle = residentMiB(product.pid);
    const requests = database.companies.map((company_number) =>
      adminList(database, { company_number, status: 'closed', per_page: 25 }),
    );
    await loader.load({ port: product.port, requests, connections: 16, seconds: BUSY_SECONDS });
    const busy = residentMiB(product.pid);
    report.table('Start and memory', [
      { 'start, s': round(median(seconds)), 'idle, MiB': round(idle), [`after ${BUSY_SECONDS} s, MiB`]: round(busy) },
    ]);
    report.measured('start', median(seconds));
    report.measured('memoryIdle', idle);
    report.measured('memoryBusy', busy);
  } finally {
    await product.stop();
  }
}
