import type { Bench } from '../bench.ts';
import { adminGet, adminList, serveDatabase, type Database } from '../filled.ts';
import type { Request } from '../load-job.ts';
import { ticketsOf } from '../options.ts';
import { round } from '../report.ts';

const TIMES = 60;
/** The smallest size has no more companies, so every page is full. */
const PAGE = 20;
const lists: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  'by name': {},
  'active ones by name': { status: 'active' },
};

/** Measures a page of companies with sites and open tickets at ten and a hundred times the data. */
export default async function companies({ options, report, loader, database: of }: Bench): Promise<void> {
  const databases: Database[] = [];
  for (const tickets of ticketsOf(options)) databases.push(await of(tickets));
  const products = await Promise.all(databases.map(serveDatabase));
  try {
    const [largest, running] = [databases.at(-1), products.at(-1)];
    if (largest && running) await check(largest, running.port);
    const targets = Object.values(lists).flatMap((query) =>
      databases.map((database, i) => ({ ...companyList(database, query), port: products[i]?.port ?? 0 })),
    );
    const samples = await loader.sample({ targets, times: TIMES });
    const rows = Object.keys(lists).map((name, at) => {
      const ms = databases.map((_, i) => samples[at * databases.length + i]?.p50 ?? 0);
      const times = databases.map(({ tickets }, i) => [`${tickets}, ms`, round(ms[i] ?? 0)] as const);
      return { list: name, ...Object.fromEntries(times), growth: round((ms.at(-1) ?? 0) / (ms[0] ?? 1)) };
    });
    report.table(`${PAGE} companies with sites and open tickets by size, one request at a time`, rows);
    report.measured('companyGrowth', Math.max(...rows.map((row) => row.growth)));
  } finally {
    for (const each of products) await each.stop();
  }
}

const companyList = (database: Database, query: Readonly<Record<string, string | number>>): Request =>
  adminGet(database, '/companies.php', { ...query, per_page: PAGE });

/** Verifies that the figures match the counts of the ticket lists. */
async function check(database: Database, port: number): Promise<void> {
  const { data } = await ask(port, companyList(database, {}));
  for (const { company_number, open_tickets } of data) {
    let counted = 0;
    for (const status of ['open', 'in_progress', 'on_hold'])
      counted += (await ask(port, adminList(database, { company_number, status, per_page: 1 }))).pagination.total;
    if (counted !== open_tickets) throw new Error(`Company ${company_number}: ${open_tickets} instead of ${counted}`);
  }
}

async function ask(port: number, { path, headers }: Request): Promise<any> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  if (!answer.ok) throw new Error(`${path} responded ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
