import test from 'ava';
import { coreTables } from '../../core/process/database/tables.ts';
import type { Database } from '../../packages/database/db.ts';
import { namedIndices } from '../../packages/database/schema/schema.ts';
import { choice, flag, id, int, table, text, when } from '../../packages/database/schema/table.ts';
import { joined, name, sql, type Sql } from '../../packages/database/statement/sql.ts';
import { recount } from '../../packages/list/counter/counter-compaction.ts';
import { count, counterTable } from '../../packages/list/counter/counter.ts';
import { by, byOther, defineList, is, type Filter } from '../../packages/list/list.ts';
import { countList, readPage } from '../../packages/list/page/page.ts';
import { matching } from '../../packages/list/text-search.ts';
import { readAll } from '../../packages/list/walk/all-rows.ts';
import { openTestDatabase } from '../../packages/testing/database.ts';
import { fc, properties } from '../_random.ts';

const testProp = properties(test);

const now = '2026-11-21T09:30:00.000Z';
const statuses = ['closed', 'open', 'on_hold'] as const;
const Company = table('company', { company_number: int().primary(), name: text(100) });
const Ticket = table(
  'ticket',
  {
    ticket_id: id(),
    ticket_number: int().unique(),
    company_number: int(),
    assigned_to: int().nullable(),
    status: choice(...statuses),
    subject: text(100),
    urgent: flag(),
    created_at: when(),
    updated_at: when().nullable(),
    deleted_at: when().nullable(),
  },
  [
    ['company_number', 'status', 'created_at', 'ticket_id', 'deleted_at'],
    ['company_number', 'created_at', 'ticket_id', 'deleted_at'],
    ['status', 'created_at', 'ticket_id', 'deleted_at'],
    ['created_at', 'ticket_id', 'deleted_at'],
    ['updated_at', 'ticket_id', 'status', 'deleted_at'],
    ['ticket_id', 'status', 'deleted_at'],
  ],
);
const AssigneeCount = counterTable('assignee_count', { of: Ticket, dimensions: ['status', 'assigned_to'] });
const TicketCount = counterTable('ticket_count', {
  of: Ticket,
  dimensions: ['company_number', 'status'],
  day: 'created_at',
});
const tickets = defineList({
  table: Ticket,
  columns: ['ticket_id', 'company_number', 'status', 'subject', 'urgent', 'created_at', 'updated_at'],
  sorts: {
    created_at: by('created_at'),
    updated_at: by('updated_at'),
    ticket_id: by('ticket_id'),
    ticket_number: by('ticket_number'),
    assigned_to: by('assigned_to'),
    subject: by('subject'),
    status: by('status', 'created_at'),
    company_name: byOther({ via: 'company_number', table: Company, column: 'name' }, 'created_at'),
  },
  counters: [TicketCount, AssigneeCount],
});
const tables = [Company, Ticket, ...TicketCount.tables, ...AssigneeCount.tables, ...coreTables];

// Reference implementation of lists, as simple as possible.
const orders: Record<string, readonly string[]> = {
  created_at: ['ticket.created_at'],
  updated_at: ['ticket.updated_at'],
  ticket_id: [],
  ticket_number: ['ticket.ticket_number'],
  assigned_to: ['ticket.assigned_to'],
  subject: ['ticket.subject'],
  status: ['ticket.status', 'ticket.created_at'],
  company_name: ['company.name', 'ticket.company_number', 'ticket.created_at'],
};

async function naive(db: Database, where: Sql, sort: string, direction: 'asc' | 'desc', limit: number, offset: number) {
  const columns = [...(orders[sort] ?? []), 'ticket.ticket_id'].map((each) =>
    direction === 'asc' ? name(each) : sql`${name(each)} DESC`,
  );
  const rows = await db.query<{ ticket_id: number }>(sql`SELECT ticket.ticket_id FROM ticket
    LEFT JOIN company ON company.company_number = ticket.company_number
    WHERE ticket.deleted_at IS NULL AND ${where} ORDER BY ${joined(columns, ', ')} LIMIT ${limit} OFFSET ${offset}`);
  const total = await db.query<{ n: number }>(
    sql`SELECT COUNT(*) AS n FROM ticket WHERE ticket.deleted_at IS NULL AND ${where}`,
  );
  return { ids: rows.map((row) => row.ticket_id), total: Number(total[0]?.n) };
}

const DAY = 86_400_000;

/** Creates 6,000 tickets over three months: enough for pages far from both ends, with many ties. */
async function filled(size = 6000): Promise<Database & { close(): Promise<void>; onStatement?: unknown }> {
  const database = await openTestDatabase(tables);
  const names = ['Blue', 'Acme', 'acme', 'Delta', 'Corvid'];
  await database.insert(
    Company,
    names.map((each, i) => ({ company_number: i + 1, name: each })),
  );
  const at = (i: number) => new Date(Date.parse('2026-08-20T00:00:00.000Z') + ((i * 7919) % 92) * DAY + (i % 5) * 1000);
  await database.insert(
    Ticket,
    Array.from({ length: size }, (_, i) => ({
      ticket_number: 900_000 - ((i * 7) % 900_000),
      company_number: i % 10 < 6 ? 1 : 1 + ((i * 3) % 5),
      assigned_to: i % 4 ? (i * 5) % 7 : null,
      status: statuses[i % 50 === 0 ? 1 : i % 77 === 0 ? 2 : 0] ?? 'closed',
      subject: ['Printer', 'mail down', 'VPN 100% slow', 'Élan_key'][(i * 11) % 4] ?? '',
      urgent: i % 3 === 0,
      created_at: at(i).toISOString(),
      updated_at: i % 6 ? at(i * 3).toISOString() : null,
      deleted_at: i % 97 === 0 ? now : null,
    })),
  );
  for (const each of [TicketCount, AssigneeCount]) await recount(database, each, now);
  return database;
}

let shared: Awaited<ReturnType<typeof filled>>;
test.before(async () => {
  shared = await filled();
});
test.after.always(() => shared.close());

const filters: readonly (readonly [readonly Filter[], Sql])[] = [
  [[], sql`1 = 1`],
  [[is('company_number', 1)], sql`ticket.company_number = 1`],
  [[is('status', 'closed')], sql`ticket.status = 'closed'`],
  [[is('status', 'open')], sql`ticket.status = 'open'`],
  [[is('company_number', 1), is('status', 'closed')], sql`ticket.company_number = 1 AND ticket.status = 'closed'`],
  [[is('company_number', [2, 3])], sql`ticket.company_number IN (2, 3)`],
  [[is('company_number', [2, 3]), is('company_number', 3)], sql`ticket.company_number = 3`],
  [[is('company_number', [])], sql`1 = 0`],
  [[is('assigned_to', null)], sql`ticket.assigned_to IS NULL`],
  [[is('assigned_to', [2, 5])], sql`ticket.assigned_to IN (2, 5)`],
  [[is('assigned_to', 5)], sql`ticket.assigned_to = 5`],
  [[is('assigned_to', 5), is('status', 'closed')], sql`ticket.assigned_to = 5 AND ticket.status = 'closed'`],
  [[sql`ticket.urgent = ${1} OR ticket.company_number = ${2}`], sql`(ticket.urgent = 1 OR ticket.company_number = 2)`],
  [
    [is('company_number', 1), matching('vpn', ['ticket.subject'])],
    sql`ticket.company_number = 1 AND ticket.subject LIKE 'VPN%'`,
  ],
];

const anyList = {
  filter: fc.constantFrom(...filters),
  sort: fc.constantFrom(...Object.keys(orders)),
  direction: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
};
testProp(
  'any page of any sort is what ORDER BY, LIMIT and OFFSET give, in at most four statements',
  [fc.record({ ...anyList, page: fc.integer({ min: 1, max: 300 }), size: fc.constantFrom(1, 20, 25, 100) })],
  async (t, { filter: [where, plain], sort, direction, page, size }) => {
    const database = shared;
    let statements = 0;
    // SQLite scans rows in pieces.
    const isPiece = ({ text }: Sql) => text.includes('AS piece');
    const query = (statement: Sql) => (isPiece(statement) || statements++, database.query(statement));
    const watched = { ...database, query } as Database;
    const { rows, total } = await readPage(watched, tickets, { where, sort, direction, page, size });
    const expected = await naive(database, plain, sort, direction, size, (page - 1) * size);
    t.deepEqual({ ids: rows.map((row) => row.ticket_id), total }, expected);
    t.true(statements <= 4, `${statements} statements`);
  },
  { numRuns: 300 },
);

testProp(
  'an export gives every row once, in order',
  [fc.record({ ...anyList, batch: fc.constantFrom(97, 500, 6000) })],
  async (t, { filter: [where, plain], sort, direction, batch }) => {
    const database = shared;
    const ids: number[] = [];
    for await (const row of readAll(database, tickets, { where, sort, direction }, batch)) ids.push(row.ticket_id);
    const expected = await naive(database, plain, sort, direction, 10_000, 0);
    t.deepEqual(ids, expected.ids);
  },
  { numRuns: 40 },
);

test('rows are plain records: ISO timestamps, boolean flags, no extra columns', async (t) => {
  const { rows } = await readPage(shared, tickets, {
    where: [is('company_number', 1)],
    sort: 'ticket_id',
    direction: 'asc',
    page: 1,
    size: 2,
  });
  t.deepEqual(rows[0], {
    ticket_id: 2,
    company_number: 1,
    status: 'closed',
    subject: 'Élan_key',
    urgent: false,
    created_at: '2026-08-27T00:00:01.000Z',
    updated_at: '2026-09-10T00:00:03.000Z',
  });
});

test('a page past the end is empty and has the total', async (t) => {
  for (const sort of ['created_at', 'status', 'company_name', 'subject']) {
    const page = await readPage(shared, tickets, { where: [], sort, direction: 'desc', page: 9999, size: 100 });
    t.deepEqual(page, { rows: [], total: 5938 });
  }
});

test('page one and its total take one statement if the counter has the total', async (t) => {
  const database = shared;
  for (const [where] of filters.slice(0, 5)) {
    let statements = 0;
    const watched = { ...database, query: (statement: Sql) => (statements++, database.query(statement)) } as Database;
    await readPage(watched, tickets, { where, sort: 'created_at', direction: 'desc', page: 1, size: 25 });
    t.is(statements, 1);
  }
});

test('an unknown sort is rejected, listing the valid ones', async (t) => {
  const request = { where: [], sort: 'ticket_id; DROP TABLE ticket', direction: 'asc', page: 1, size: 1 } as const;
  await t.throwsAsync(readPage(shared, tickets, request), {
    message:
      'sort must be one of created_at, updated_at, ticket_id, ticket_number, assigned_to, subject, status, company_name',
  });
  await t.throwsAsync(readPage(shared, tickets, { ...request, sort: 'constructor' }));
});

test('totals are exact with and without open deltas', async (t) => {
  const database = await filled(300);
  const open = [is('status', 'open')];
  const theirs = [is('assigned_to', 5)];
  const before = await countList(database, tickets, open);
  const theirsBefore = await countList(database, tickets, theirs);
  const row = { company_number: 2, assigned_to: 5, status: 'open' as const, created_at: now };
  await database.transaction(async (tx) => {
    await tx.insert(Ticket, { ...row, ticket_number: 1, subject: 'New', urgent: false });
    for (const each of [TicketCount, AssigneeCount]) count(tx, each, row);
  });
  t.is(await countList(database, tickets, open), before + 1);
  t.is(await countList(database, tickets, theirs), theirsBefore + 1);
  const { rows, total } = await readPage(database, tickets, {
    where: open,
    sort: 'created_at',
    direction: 'desc',
    page: 1,
    size: 1,
  });
  t.is(total, before + 1);
  t.is(rows[0]?.subject, 'New');
  await database.close();
});

test('the hinted index exists and serves the page', async (t) => {
  const database = shared;
  const seen: string[] = [];
  const query = (statement: Sql) => (seen.push(statement.text), database.query(statement));
  const watched = { ...database, query } as Database;
  await readPage(watched, tickets, {
    where: [is('status', 'open')],
    sort: 'created_at',
    direction: 'desc',
    page: 1,
    size: 5,
  });
  const index = namedIndices(Ticket).find((each) => each.columns[0] === 'status')?.name ?? '';
  t.regex(
    seen[0] ?? '',
    database.dialect === 'mysql' ? new RegExp(`FORCE INDEX \\(${index}\\)`) : new RegExp(`INDEXED BY ${index}`),
  );
});

test('deep pages are walked over index entries, not rows', async (t) => {
  const database = shared;
  const seen: string[] = [];
  const query = (statement: Sql) => (seen.push(statement.text), database.query(statement));
  const watched = { ...database, query } as Database;
  await readPage(watched, tickets, { where: [], sort: 'ticket_id', direction: 'desc', page: 500, size: 5 });
  const index = namedIndices(Ticket).find((each) => each.columns[0] === 'ticket_id')?.name ?? '';
  t.true(
    seen.some((each) => each.includes(index)),
    seen.join('\n'),
  );
});

test('text search finds every word regardless of case and accents; punctuation only separates words', async (t) => {
  const database = shared;
  const found = async (q: string) =>
    (
      await database.query<{ subject: string }>(
        sql`SELECT DISTINCT subject FROM ticket WHERE ${matching(q, ['ticket.subject'])}`,
      )
    ).map((row) => row.subject);
  t.deepEqual(await found('PRINT'), ['Printer']);
  t.deepEqual(await found('slow vpn'), ['VPN 100% slow']);
  t.deepEqual(await found('0%'), ['VPN 100% slow']);
  t.deepEqual(await found('_KEY'), ['Élan_key']);
  t.deepEqual(await found('éLAN'), ['Élan_key']);
  t.deepEqual(await found('vpn printer'), []);
  t.deepEqual(await found('ELAN'), ['Élan_key']);
  t.deepEqual(await found('E\u0301lan'), ['Élan_key'], 'an accent of its own');
  t.deepEqual(await found('1_0%'), ['VPN 100% slow']);
  t.deepEqual(await found('1_9%'), []);
  t.deepEqual(await found('%'), []);
  t.is((await found('  ')).length, 4);
});
