import type { Bench } from '../bench.ts';
import { serveDatabase, type Database } from '../filled.ts';
import { startFloor } from '../floor-process.ts';
import type { Request } from '../load-job.ts';
import { ticketsOf } from '../options.ts';
import { compare, ratio, summary } from '../rounds.ts';

/** Measures ticket creation with number, event, deliveries, activity and counts, against a plain INSERT. */
export default async function create({ options, report, loader, database: of }: Bench): Promise<void> {
  const [tickets = 0] = ticketsOf(options);
  const database = await of(tickets);
  const [floor, product] = await Promise.all([startFloor(database), serveDatabase(database)]);
  try {
    const contenders = [
      { name: 'INSERT', ...floor, database: database.pid, requests: creates('/tickets', database) },
      { name: 'product', ...product, database: database.pid, requests: creates('/admin/api/v1/tickets.php', database) },
    ];
    const rounds = await compare(loader, contenders, { ...options, connections: 8 });
    report.table('Create a ticket, c=8', summary(rounds, 'INSERT'));
    report.measured(
      'create',
      ratio(rounds, 'product', 'INSERT', ({ rate }) => rate),
    );
  } finally {
    await Promise.all([floor.stop(), product.stop()]);
  }
}

/** Builds requests that create tickets, cycling through many companies. */
export function creates(path: string, { key, companies }: Database): Request[] {
  const description = 'It began on Monday morning and happens to everybody on the second floor. '.repeat(6);
  return companies.map((company_number) => ({
    method: 'POST',
    path,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ company_number, subject: 'Printer does not start', description }),
  }));
}
