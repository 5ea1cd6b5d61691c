import { execFileSync } from 'node:child_process';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import type { Bench } from '../bench.ts';
import { adminGet, serveDatabase, type Database } from '../filled.ts';
import { startFloor } from '../floor-process.ts';
import { indexed } from '../indexed.ts';
import type { Request } from '../load-job.ts';
import { ticketsOf } from '../options.ts';
import { round } from '../report.ts';
import { compare, median, ratio, summary, type Contender } from '../rounds.ts';
import { creates } from './create.ts';

/** Twice this number stays within a key's search limit. */
const TIMES = 25;
/** One to three words: the most common word, common words, a substring, a rare word. */
const TEXTS = ['the', 'printer', 'network cable', 'scanner strange noise', 'rint', 'backup password', 'slow 90'];

/** Measures search over everything and in lists, its cost to concurrent creates, and building the index. */
export default async function search(bench: Bench): Promise<void> {
  const { options, report } = bench;
  const sizes = options.size === 'full' || options.tickets ? ticketsOf(options) : ticketsOf(options).slice(0, 1);
  const databases: Database[] = [];
  for (const tickets of sizes) databases.push(await bench.database(tickets));
  const filled: { tickets: number; 'records/s': number }[] = [];
  for (const each of databases) {
    const perSecond = await fillIndex(each);
    if (perSecond !== undefined) filled.push({ tickets: each.tickets, 'records/s': perSecond });
  }
  if (filled.length > 0) {
    report.table('Filling the index of the search', filled);
    report.measured('reindex', filled.at(-1)?.['records/s'] ?? 0);
  }
  await searches(bench, databases);
  const [smallest] = databases;
  if (smallest) await besideCreates(bench, smallest);
}

/** Builds the search index unless it is complete; returns records per second. */
async function fillIndex(database: Database): Promise<number | undefined> {
  const connection = await connect(database);
  const [[row]] = await connection.query<RowDataPacket[]>(
    'SELECT COUNT(*) AS n FROM (SELECT 1 FROM search_text LIMIT 10000) AS some',
  );
  await connection.end();
  if (Number(row?.['n']) >= Math.min(10_000, database.tickets)) return undefined;
  const env = { PATH: process.env['PATH'], ...database.env, LOG_LEVEL: 'error' };
  const told = execFileSync(process.execPath, ['cli.js', 'reindex'], { env, encoding: 'utf8' });
  return Number(told.match(/: (\d+) per second/)?.[1]);
}

async function searches({ report, loader }: Bench, databases: readonly Database[]): Promise<void> {
  const products = await Promise.all(databases.map(serveDatabase));
  try {
    const kinds = TEXTS.flatMap((text, t) => [
      { who: 'technician', text, ask: (each: Database) => everything(each, text, t) },
      { who: 'employee', text, ask: (each: Database) => ownCompany(each, text, t) },
      { who: 'list', text, ask: (each: Database) => listed(each, text, t) },
    ]);
    const targets = kinds.flatMap(({ ask }) =>
      databases.map((database, i) => ({ ...ask(database), port: products[i]?.port ?? 0 })),
    );
    // Warm up first: a new process compiles its code and fills its caches.
    await loader.sample({ targets, times: TIMES });
    const samples = await loader.sample({ targets, times: TIMES });
    const rows = kinds.map(({ who, text }, at) => {
      const ms = databases.map((_, i) => samples[at * databases.length + i]?.p50 ?? 0);
      const times = databases.map(({ tickets }, i) => [`${tickets}, ms`, round(ms[i] ?? 0)] as const);
      const growth = round((ms.at(-1) ?? 0) / (ms[0] ?? 1));
      return { who, text, ...Object.fromEntries(times), ...(databases.length > 1 && { growth }), last: ms.at(-1) ?? 0 };
    });
    const like = await likes(databases.at(-1), TEXTS);
    const shown = rows.map(({ last, ...row }) => ({
      ...row,
      'LIKE over it': row.who === 'employee' ? '' : round((like.get(row.text) ?? 0) / last),
    }));
    report.table('Searches, one request at a time, p50', shown);
    const worst = (of: typeof rows) => Math.max(...of.map(({ last }) => last));
    report.measured('searchP50', worst(rows.filter(({ who }) => who !== 'list')));
    report.measured('searchList', worst(rows.filter(({ who }) => who === 'list')));
    if (databases.length > 1) report.measured('searchGrowth', Math.max(...rows.map(({ growth = 0 }) => growth)));
    const technicians = rows.filter(({ who }) => who === 'technician');
    report.measured('searchLike', Math.min(...technicians.map(({ text, last }) => (like.get(text) ?? 0) / last)));
  } finally {
    for (const each of products) await each.stop();
  }
}

function everything(database: Database, q: string, which: number): Request {
  return adminGet({ ...database, key: database.searchers[which] ?? '' }, '/search.php', { q });
}

/** Half of the keys search everything; the others search in lists. */
function listed(database: Database, search: string, which: number): Request {
  const key = database.searchers[database.searchers.length - 1 - which] ?? '';
  return adminGet({ ...database, key }, '/tickets.php', { search, status: 'open' });
}

function ownCompany(database: Database, q: string, which: number): Request {
  const { token = '' } = database.tokens[which] ?? {};
  const path = `/helpdesk/api/v1/search?${new URLSearchParams({ q }).toString()}`;
  return { method: 'GET', path, headers: { Authorization: `Bearer ${token}` } };
}

/** Returns the milliseconds the database takes, per text, to count and page the rows with all its words. */
async function likes(database: Database | undefined, texts: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  if (!database) return found;
  const connection = await connect(database);
  for (const text of texts) {
    const words = text.split(' ').map((each) => `%${each}%`);
    const where = words.map(() => '(subject LIKE ? OR description LIKE ? OR ticket_number LIKE ?)').join(' AND ');
    const params = words.flatMap((each) => [each, each, each]);
    const times: number[] = [];
    for (let i = 0; i < 3; i++) {
      const since = performance.now();
      await connection.query(`SELECT COUNT(*) FROM ticket WHERE deleted_at IS NULL AND ${where}`, params);
      const page = `SELECT ticket_id, subject FROM ticket WHERE deleted_at IS NULL AND ${where} ORDER BY created_at DESC LIMIT 5`;
      await connection.query(page, params);
      times.push(performance.now() - since);
    }
    found.set(text, median(times));
  }
  await connection.end();
  return found;
}

/**
 * Creates tickets with indexing and without it, while another process holds the lease. Indexing left over from a turn
 * finishes before the next turn, and its CPU time counts.
 */
async function besideCreates({ options, report, loader }: Bench, database: Database): Promise<void> {
  const [floor, product] = await Promise.all([startFloor(database), serveDatabase(database)]);
  const connection = await connect(database);
  const lease = (until: string) =>
    connection.query(
      `INSERT INTO search_lease (name, holder, until) VALUES ('index', 'bench', ?)
        ON DUPLICATE KEY UPDATE holder = 'bench', until = VALUES(until)`,
      [until],
    );
  const made: Omit<Contender, 'name'> = {
    ...product,
    database: database.pid,
    requests: creates('/admin/api/v1/tickets.php', database),
  };
  try {
    const contenders: Contender[] = [
      { name: 'INSERT', ...floor, database: database.pid, requests: creates('/tickets', database) },
      {
        ...made,
        name: 'without index',
        before: async () => void (await lease('2099-01-01 00:00:00.000')),
        after: async () => void (await connection.query('UPDATE record_change SET indexed = 1 WHERE indexed = 0')),
      },
      {
        ...made,
        name: 'with index',
        before: async () => void (await lease('2000-01-01 00:00:00.000')),
        settle: () => indexed(connection),
      },
    ];
    const rounds = await compare(loader, contenders, { ...options, connections: 8 });
    report.table('Create a ticket while the index follows, c=8', summary(rounds, 'without index'));
    report.measured(
      'searchCreate',
      ratio(rounds, 'with index', 'without index', ({ rate }) => rate),
    );
  } finally {
    await connection.query("DELETE FROM search_lease WHERE holder = 'bench'");
    await connection.end();
    await Promise.all([floor.stop(), product.stop()]);
  }
}

function connect({ floor: [, uri] }: Database): Promise<Connection> {
  return createConnection({ uri });
}
