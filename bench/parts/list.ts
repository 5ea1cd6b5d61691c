import type { Bench } from '../bench.ts';
import { largest } from '../bench.ts';
import { adminList, serveDatabase, textual, type Database } from '../filled.ts';
import { startFloor } from '../floor-process.ts';
import type { Request } from '../load-job.ts';
import { compare, ratio, summary, type Contender } from '../rounds.ts';
import { requireSame } from '../same.ts';

const PAGE = 25;

/**
 * Lists 25 closed tickets of a company with names and the exact total: the floor, the admin list, the helpdesk list.
 */
export default async function list({ options, report, loader, database: of }: Bench): Promise<void> {
  const database = await of(largest(options));
  const [floor, product] = await Promise.all([startFloor(database), serveDatabase(database)]);
  try {
    await check(floor.port, product.port, database);
    const contender = (name: string, { pid, port }: typeof floor, requests: readonly Request[]): Contender => ({
      name,
      pid,
      port,
      database: database.pid,
      requests,
    });
    const contenders = [
      contender(
        'floor',
        floor,
        database.companies.map((company) => floorList(company)),
      ),
      contender(
        'admin',
        product,
        database.companies.map((company) => productList(database, company)),
      ),
      contender(
        'helpdesk',
        product,
        database.tokens.map(({ token }) => helpdeskList(token)),
      ),
    ];
    const rounds = await compare(loader, contenders, { ...options, connections: 16 });
    const name = database.pid === undefined ? 'SQLite' : 'MariaDB';
    report.table(
      `List of 25, company and status, ${database.tickets} tickets, c=16, ${name}`,
      summary(rounds, 'floor'),
    );
    const rate = (who: string) => ratio(rounds, who, 'floor', (each) => each.rate);
    if (database.pid === undefined) return report.measured('sqliteList', rate('admin'));
    report.measured('adminList', rate('admin'));
    report.measured(
      'adminListCpu',
      ratio(rounds, 'admin', 'floor', ({ app, db }) => app + db),
    );
    report.measured('helpdeskList', rate('helpdesk'));
  } finally {
    await Promise.all([floor.stop(), product.stop()]);
  }
}

function floorList(company_number: number): Request {
  const query = new URLSearchParams(textual({ company_number, status: 'closed', page: 1, per_page: PAGE }));
  return { method: 'GET', path: `/tickets?${query.toString()}`, headers: {} };
}

function productList(database: Database, company_number: number): Request {
  return adminList(database, { company_number, status: 'closed', page: 1, per_page: PAGE });
}

function helpdeskList(token: string): Request {
  const path = `/helpdesk/api/v1/tickets?status=closed&page=1&limit=${PAGE}`;
  return { method: 'GET', path, headers: { Authorization: `Bearer ${token}` } };
}

/** Compares both surfaces with the floor, for twenty companies. */
async function check(floor: number, product: number, database: Database): Promise<void> {
  for (const { token, company_number } of database.tokens.slice(0, 20)) {
    const expected = await get(floor, floorList(company_number));
    const admin = await get(product, productList(database, company_number));
    requireSame(expected, admin.data, admin.pagination.total);
    const helpdesk = await get(product, helpdeskList(token));
    requireSame(expected, helpdesk.tickets, helpdesk.pagination.total);
  }
}

async function get(port: number, { path, headers }: Request): Promise<any> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  if (!answer.ok) throw new Error(`${path} responded ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
