import type { Bench } from '../bench.ts';
import { adminList, type Database } from '../filled.ts';
import { childrenOf, startProduct } from '../node-process.ts';
import { ticketsOf } from '../options.ts';
import { compare, summary, type Contender } from '../rounds.ts';
import { creates } from './create.ts';

/** WEB_PROCESSES of each contender. */
const counts = [1, 2, 4];
/** A local Redis, for the limits shared by several processes. */
const redis = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

/**
 * Measures lists, creates and a mix of nine lists to one create for one, two and four web processes over one database.
 * The load generator, the database and the processes share the machine's cores, so there is no goal; the CPU per
 * request shows what more cores could handle.
 */
export default async function scale({ options, report, loader, database: of }: Bench): Promise<void> {
  const [tickets = 0] = ticketsOf(options);
  const database = await of(tickets);
  const started = await Promise.all(counts.map((count) => startWith(database, count)));
  const lists = database.companies.map((company_number) =>
    adminList(database, { company_number, status: 'closed', page: 1, per_page: 25 }),
  );
  const posts = creates('/admin/api/v1/tickets.php', database);
  const mixed = posts.flatMap((post) => [...lists.slice(0, 9), post]);
  try {
    for (const [what, requests] of Object.entries({ lists, creates: posts, mixed })) {
      const contenders = started.map((each) => ({ ...each, requests }));
      const rounds = await compare(loader, contenders, { ...options, connections: 32 });
      report.table(`Processes: ${what}, ${tickets} tickets, c=32`, summary(rounds, '1'));
    }
  } finally {
    await Promise.all(started.map(({ stop }) => stop()));
  }
}

async function startWith(database: Database, count: number) {
  const env = { ...database.env, REDIS_URL: redis, WEB_PROCESSES: String(count) };
  const { pid, port, stop } = await startProduct(env);
  const contender: Omit<Contender, 'requests'> = {
    ...{ name: String(count), pid, port, database: database.pid },
    ...(count > 1 && { others: childrenOf(pid) }),
  };
  return { ...contender, stop };
}
