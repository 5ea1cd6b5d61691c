import type { Bench } from '../bench.ts';
import { adminList, serveDatabase, type Database } from '../filled.ts';
import { startFloor } from '../floor-process.ts';
import type { Request } from '../load-job.ts';
import { ticketsOf } from '../options.ts';
import { round } from '../report.ts';

type Query = Readonly<Record<string, string | number>>;

const TIMES = 60;

/** Measures a page and its total at ten times the data, and verifies the totals. */
export default async function growth({ options, report, loader, database: of }: Bench): Promise<void> {
  const databases: Database[] = [];
  for (const tickets of ticketsOf(options)) databases.push(await of(tickets));
  const products = await Promise.all(databases.map(serveDatabase));
  try {
    const lists = queries(databases);
    const targets = lists.flatMap(({ query, per_page }) =>
      databases.map((database, i) => ({
        ...adminList(database, { ...query(database), per_page }),
        port: products[i]?.port ?? 0,
      })),
    );
    const samples = await loader.sample({ targets, times: TIMES });
    const rows = lists.map(({ name, kind }, at) => {
      const ms = databases.map((_, i) => samples[at * databases.length + i]?.p50 ?? 0);
      const before = (kind === 'page' ? ms.at(-2) : ms[0]) ?? 0;
      const times = databases.map(({ tickets }, i) => [`${tickets}, ms`, round(ms[i] ?? 0)] as const);
      return { list: name, kind, ...Object.fromEntries(times), growth: round((ms.at(-1) ?? 0) / before) };
    });
    report.table('Page 1 and totals by size, one request at a time (total: a page of one row)', rows);
    const worst = (kind: string) => Math.max(...rows.filter((row) => row.kind === kind).map((row) => row.growth));
    report.measured('pageGrowth', worst('page'));
    report.measured('totalGrowth', worst('total'));
    report.measured('totalsExact', await wrongTotals(databases.at(-1), products.at(-1)?.port ?? 0));
  } finally {
    for (const each of products) await each.stop();
  }
}

function queries(databases: readonly Database[]) {
  const company = ({ companies }: Database) => companies[Math.floor(companies.length / 2)] ?? 0;
  const kinds: readonly { name: string; query: (database: Database) => Query }[] = [
    { name: 'all', query: () => ({}) },
    { name: 'status', query: () => ({ status: 'closed' }) },
    { name: 'company', query: (each) => ({ company_number: company(each) }) },
    { name: 'company and status', query: (each) => ({ company_number: company(each), status: 'closed' }) },
  ];
  if (databases.length < 2) throw new Error('Growth needs two sizes');
  return [
    ...kinds.map((each) => ({ ...each, kind: 'page', per_page: 25 })),
    ...kinds.map((each) => ({ ...each, kind: 'total', per_page: 1 })),
  ];
}

/** Returns how many totals, over 100 pairs of company and status, differ from the floor's counts. */
async function wrongTotals(database: Database | undefined, port: number): Promise<number> {
  if (!database) return 0;
  const floor = await startFloor(database);
  let wrong = 0;
  try {
    for (const company_number of database.companies.slice(0, 25)) {
      for (const status of ['open', 'in_progress', 'on_hold', 'closed']) {
        const ours = await total(port, adminList(database, { company_number, status, per_page: 1 }));
        const path = `/tickets?company_number=${company_number}&status=${status}&per_page=1`;
        if (ours !== (await total(floor.port, { method: 'GET', path, headers: {} }))) wrong++;
      }
    }
  } finally {
    await floor.stop();
  }
  return wrong;
}

async function total(port: number, { path, headers }: Request): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  const body = (await answer.json()) as { total?: number; pagination?: { total: number } };
  return body.total ?? body.pagination?.total ?? -1;
}
