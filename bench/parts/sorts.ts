import type { Bench } from '../bench.ts';
import { largest } from '../bench.ts';
import { adminList, serveDatabase } from '../filled.ts';
import { round } from '../report.ts';

const TIMES = 10;
const filters: readonly Readonly<Record<string, string>>[] = [{}, { status: 'closed' }];
const names = [
  'created_at',
  'updated_at',
  'closed_at',
  'ticket_id',
  'ticket_number',
  'subject',
  'status',
  'priority',
  'job_type',
  'company_name',
  'assigned_to',
] as const;

/** Measures every documented sort in both directions, over all tickets and over those with a status. */
export default async function sorts({ options, report, loader, database: of }: Bench): Promise<void> {
  const database = await of(largest(options));
  const product = await serveDatabase(database);
  const { port } = product;
  try {
    const rows: Record<string, string | number>[] = [];
    for (const filter of filters) {
      const target = (query: Readonly<Record<string, string | number>>) => ({
        ...adminList(database, { ...filter, ...query, per_page: 25 }),
        port,
      });
      const [sized] = await loader.sample({ targets: [target({})], times: 1 });
      const { total } = JSON.parse(sized?.body ?? '').pagination as { total: number };
      const last = Math.floor(total / 25);
      for (const sort of names) {
        for (const order of ['asc', 'desc']) {
          const asked = [1, Math.ceil(last / 2), last].map((page) => target({ sort, order, page }));
          const [base = 1, ...ms] = (await loader.sample({ targets: [target({}), ...asked], times: TIMES })).map(
            (each) => each.p50,
          );
          const [first = 0, middle = 0, end = 0] = ms.map((each) => round(each / base));
          rows.push({
            list: filter['status'] ?? 'all',
            sort,
            order,
            'date, ms': round(base),
            first,
            middle,
            last: end,
          });
        }
      }
    }
    report.table(`Pages by every sort over page 1 by date, ${database.tickets} tickets`, rows);
    // Every sort has an index. A middle page must walk along it, so only the table shows it.
    report.measured('anySort', Math.max(...rows.flatMap((row) => [row['first'], row['last']].map(Number))));
  } finally {
    await product.stop();
  }
}
