import type { Bench } from '../bench.ts';
import { largest } from '../bench.ts';
import { adminList, serveDatabase } from '../filled.ts';
import { round } from '../report.ts';

const TIMES = 20;

/** Measures the first, a middle and the last full page of every kind of list, at two page sizes. */
export default async function pages({ options, report, loader, database: of }: Bench): Promise<void> {
  const database = await of(largest(options));
  const product = await serveDatabase(database);
  const company_number = database.companies[0] ?? 0;
  const filters: readonly Readonly<Record<string, string | number>>[] = [
    {},
    { status: 'closed' },
    { status: 'open' },
    { priority: 3 },
    { status: 'closed', priority: 2 },
    { job_type: 'Network' },
    { assigned_to: 1 },
    { site_number: 1 },
    { company_number },
    { company_number, status: 'closed' },
    { company_number, priority: 3 },
  ];
  try {
    const rows: { list: string; size: number; total: number; [page: string]: string | number }[] = [];
    for (const filter of filters) {
      for (const per_page of [25, 100]) {
        const { port } = product;
        const target = (page: number) => ({ ...adminList(database, { ...filter, per_page, page }), port });
        const [first] = await loader.sample({ targets: [target(1)], times: 1 });
        const { total } = JSON.parse(first?.body ?? '').pagination as { total: number };
        const last = Math.max(1, Math.floor(total / per_page));
        const middle = Math.max(1, Math.ceil(last / 2));
        const quarter = Math.max(1, Math.ceil(last / 4));
        const samples = await loader.sample({ targets: [1, quarter, middle, last].map(target), times: TIMES });
        const [one = 0, ...others] = samples.map((each) => each.p50);
        const [at25 = 0, at50 = 0, at100 = 0] = others.map((ms) => round(ms / one));
        const list = Object.entries(filter).map(([name, value]) => `${name}=${value}`);
        const ratios = { 'page 1, ms': round(one), '25 %': at25, '50 %': at50, last: at100 };
        rows.push({ list: list.join(' ') || 'all', size: per_page, total, ...ratios });
      }
    }
    report.table(`Pages over page 1, ${database.tickets} tickets, one request at a time`, rows);
    const ratios = rows.flatMap((row) => [row['25 %'], row['50 %'], row['last']].map(Number));
    report.measured('anyPage', Math.max(...ratios));
  } finally {
    await product.stop();
  }
}
