import test from 'ava';
import { IsNull } from 'typeorm';
import { coreTables } from '../../core/process/database/tables.ts';
import { openDatabase } from '../../packages/database/database.ts';
import type { Database } from '../../packages/database/db.ts';
import { choice, flag, id, int, table, when } from '../../packages/database/schema/table.ts';
import { sql } from '../../packages/database/statement/sql.ts';
import { compactCounter, recount, repairCounter } from '../../packages/list/counter/counter-compaction.ts';
import { readCountsSince, readDays, readMonths } from '../../packages/list/counter/counter-periods.ts';
import { readCount, readCounts } from '../../packages/list/counter/counter-read.ts';
import { count, counterTable, recountRow, statistic } from '../../packages/list/counter/counter.ts';
import { updateCountersForNew } from '../../packages/list/counter/statistics.ts';
import { openTestDatabase } from '../../packages/testing/database.ts';
import { fc, properties } from '../_random.ts';

const testProp = properties(test);

const now = '2026-11-21T09:30:00.000Z';
const Ticket = table('ticket', {
  ticket_id: id(),
  company_number: int(),
  status: choice('open', 'closed'),
  priority: int(),
  created_at: when(),
  deleted_at: when().nullable(),
});
const TicketCount = counterTable('ticket_count', {
  of: Ticket,
  dimensions: ['company_number', 'status', 'priority'],
  day: 'created_at',
  daily: ['company_number', 'status'],
});
const tables = [Ticket, ...TicketCount.tables, ...coreTables];

const row = (company_number: number, status: 'open' | 'closed', created_at = now, priority = 3) => ({
  company_number,
  status,
  priority,
  created_at,
});

async function create(database: Database, ticket: ReturnType<typeof row>): Promise<number> {
  return database.transaction(async (tx) => {
    count(tx, TicketCount, ticket);
    return tx.insertReturningId(Ticket, ticket);
  });
}

test('a row counts from its commit on, compacted or not', async (t) => {
  const database = await openTestDatabase(tables);
  t.teardown(() => database.close());
  await create(database, row(1, 'open'));
  await create(database, row(2, 'open'));
  await create(database, row(2, 'closed', now, 1));
  for (let i = 0; i < 2; i++) {
    t.is(await readCount(database, TicketCount), 3);
    t.is(await readCount(database, TicketCount, { status: 'open' }), 2);
    t.is(await readCount(database, TicketCount, { company_number: 2 }), 2);
    t.is(await readCount(database, TicketCount, { company_number: [1, 2], status: 'open' }), 2);
    t.is(await readCount(database, TicketCount, { priority: 1, company_number: 2 }), 1);
    t.is(await readCount(database, TicketCount, { company_number: [] }), 0);
    t.is(await compactCounter(database, TicketCount, now), i === 0 ? 3 : 0);
  }
});

test('a rolled-back row does not count', async (t) => {
  const database = await openTestDatabase(tables);
  t.teardown(() => database.close());
  const failed = database.transaction(async (tx) => {
    count(tx, TicketCount, row(1, 'open'));
    await tx.insert(Ticket, row(1, 'open'));
    throw new Error('no');
  });
  await t.throwsAsync(failed, { message: 'no' });
  t.is(await readCount(database, TicketCount), 0);
});

test('changing a counted column updates the count; other writes write nothing', async (t) => {
  const database = await openTestDatabase(tables);
  t.teardown(() => database.close());
  await create(database, row(1, 'open'));
  await database.transaction(async (tx) => {
    recountRow(tx, TicketCount, row(1, 'open'), { ...row(1, 'open'), subject: 'x' });
    t.is(tx.writes(), 0);
    recountRow(tx, TicketCount, row(1, 'open'), row(1, 'closed'));
  });
  await compactCounter(database, TicketCount, now);
  t.is(await readCount(database, TicketCount, { status: 'open' }), 0);
  t.is(await readCount(database, TicketCount, { status: 'closed' }), 1);
  const months = await database.query(sql`SELECT * FROM ticket_count_month WHERE n = 0`);
  t.deepEqual(months, []);
});

test('months and days are counted, including open deltas', async (t) => {
  const database = await openTestDatabase(tables);
  t.teardown(() => database.close());
  for (const at of ['2026-02-27T23:59:59.999Z', '2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z']) {
    await create(database, row(1, 'open', at));
  }
  for (let i = 0; i < 2; i++) {
    t.deepEqual(await readMonths(database, TicketCount, { company_number: 1 }), [
      { period: '2026-02', n: 2 },
      { period: '2026-03', n: 1 },
    ]);
    t.deepEqual(await readDays(database, TicketCount, { status: 'open' }, '2026-02-01', '2026-03-01'), [
      { period: '2026-02-27', n: 1 },
      { period: '2026-02-28', n: 1 },
    ]);
    await compactCounter(database, TicketCount, now);
  }
});

const changes = fc.array(
  fc.record({
    company_number: fc.integer({ min: 1, max: 3 }),
    status: fc.constantFrom<'open' | 'closed'>('open', 'closed'),
    day: fc.integer({ min: 10, max: 28 }),
    next: fc.constantFrom('nothing', 'close', 'delete', 'fold', 'recount'),
  }),
  { maxLength: 25 },
);
testProp(
  'counts are those of the table after any changes, folds and recounts',
  [changes],
  async (t, list) => {
    const database = await openTestDatabase(tables);
    for (const { next, day, ...each } of list) {
      const ticket = row(each.company_number, each.status, `2026-01-${day}T00:00:00.000Z`);
      const ticket_id = await create(database, ticket);
      if (next === 'fold') await compactCounter(database, TicketCount, now);
      if (next === 'recount') await recount(database, TicketCount, now);
      if (next !== 'close' && next !== 'delete') continue;
      await database.transaction(async (tx) => {
        if (next === 'delete') count(tx, TicketCount, ticket, -1);
        else recountRow(tx, TicketCount, ticket, { ...ticket, status: 'closed' });
        await tx.update(Ticket, { ticket_id }, next === 'delete' ? { deleted_at: now } : { status: 'closed' });
      });
    }
    for (const company_number of [1, 2, 3]) {
      for (const status of ['open', 'closed'] as const) {
        const actual = await database.countBy(Ticket, { company_number, status, deleted_at: IsNull() });
        t.is(await readCount(database, TicketCount, { company_number, status }), actual);
        const months = await readMonths(database, TicketCount, { company_number, status });
        t.is(
          months.reduce((sum, { n }) => sum + n, 0),
          actual,
        );
      }
    }
    await database.close();
  },
  { numRuns: 15 },
);

test('reads stay exact under concurrent writes and compaction in two processes', async (t) => {
  const database = await openTestDatabase(tables);
  t.teardown(() => database.close());
  const other = await secondProcess(database);
  t.teardown(() => other.close());
  // Always in pairs: an odd number means a half-compacted counter.
  const write = async (company: number) => {
    for (let i = 0; i < 25; i++) {
      await database.transaction(async (tx) => {
        for (const status of ['open', 'closed'] as const) {
          count(tx, TicketCount, row(company, status));
          await tx.insert(Ticket, row(company, status));
        }
      });
    }
  };
  let writing = true;
  let odd = 0;
  const read = async () => {
    while (writing) if ((await readCount(database, TicketCount)) % 2 !== 0) odd++;
  };
  const fold = async (by: Database) => {
    while (writing) {
      await compactCounter(by, TicketCount, now);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const watching = [read(), fold(database), fold(other)];
  try {
    await Promise.all([1, 2, 3, 4].map(write));
    await recount(other, TicketCount, now);
  } finally {
    writing = false;
    await Promise.all(watching);
  }
  t.is(odd, 0);
  t.is(await readCount(other, TicketCount, { company_number: 4 }), 50);
  await compactCounter(database, TicketCount, now);
  t.is(await readCount(database, TicketCount), 200);
  t.deepEqual(await database.query(sql`SELECT 1 FROM ticket_count_delta`), []);
});

/** Opens another handle on the same database; in-memory SQLite has only one. */
async function secondProcess(first: Awaited<ReturnType<typeof openTestDatabase>>): Promise<Database> {
  const server = process.env['TEST_DATABASE_URL'];
  if (!server) return { ...first, close: async () => {} };
  const [found] = await first.query<{ name: string }>(sql`SELECT DATABASE() AS name`);
  return openDatabase({
    url: new URL(found?.name ?? '', server).href,
    file: '',
    tables,
    log: { warn: () => {} },
    pool: 5,
    deadlineMs: 60_000,
  });
}

test('a counter can sum a column without months and days', async (t) => {
  const TicketWorth = counterTable('ticket_worth', { of: Ticket, dimensions: ['status'], sum: 'priority' });
  const database = await openTestDatabase([Ticket, ...TicketWorth.tables, ...coreTables]);
  t.teardown(() => database.close());
  t.is(TicketWorth.tables.length, 2);
  const ticket = row(1, 'open', now, 300);
  await database.transaction(async (tx) => {
    await tx.insert(Ticket, ticket);
    await tx.insert(Ticket, { ...ticket, priority: 0 });
    count(tx, TicketWorth, ticket);
    count(tx, TicketWorth, { ...ticket, priority: 0 });
  });
  const all = async () => [
    await readCount(database, TicketWorth),
    Object.fromEntries(await readCounts(database, TicketWorth, 'status')),
  ];
  t.deepEqual(await all(), [300, { open: 300 }]);
  await compactCounter(database, TicketWorth, now);
  t.deepEqual(await all(), [300, { open: 300 }]);
  await database.transaction(async (tx) =>
    recountRow(tx, TicketWorth, ticket, { ...ticket, status: 'closed', priority: 450 }),
  );
  t.deepEqual(await all(), [450, { closed: 450 }]);
  await recount(database, TicketWorth, now);
  t.deepEqual(await all(), [300, { open: 300 }], 'counted afresh it is what the table says');
});

test('a counter can count some rows only, by derived values, per day', async (t) => {
  const Urgent = counterTable('ticket_urgent', {
    of: Ticket,
    dimensions: ['company_number', 'even'],
    day: 'created_at',
    daysOfEach: true,
    only: { status: 'open' },
    computed: {
      even: {
        column: int(),
        of: ({ priority }) => (priority === 5 ? null : Number(priority % 2 === 0)),
        sql: {
          sqlite: 'CASE priority WHEN 5 THEN NULL ELSE priority % 2 = 0 END',
          mysql: 'CASE priority WHEN 5 THEN NULL ELSE priority % 2 = 0 END',
        },
      },
    },
  });
  const database = await openTestDatabase([Ticket, ...Urgent.tables, ...coreTables]);
  t.teardown(() => database.close());
  const rows = [1, 2, 3, 4, 5].flatMap((priority) => [
    row(1, 'open', '2026-02-27T10:00:00.000Z', priority),
    row(2, 'open', '2026-02-28T10:00:00.000Z', priority),
    row(1, 'closed', '2026-02-28T10:00:00.000Z', priority),
  ]);
  await database.transaction(async (tx) => {
    for (const each of rows) {
      count(tx, Urgent, each);
      await tx.insert(Ticket, each);
    }
  });
  const since = async (from: string, filter = {}) =>
    Object.fromEntries(await readCountsSince(database, Urgent, 'even', filter, from));
  for (const step of ['open deltas', 'compacted', 'counted anew']) {
    t.deepEqual(await since('2026-02-27'), { 0: 4, 1: 4 }, step);
    t.deepEqual(await since('2026-02-28'), { 0: 2, 1: 2 }, step);
    t.deepEqual(await since('2026-02-27', { company_number: 1 }), { 0: 2, 1: 2 }, step);
    t.deepEqual(await since('2026-02-28', { company_number: 1 }), {}, step);
    if (step === 'open deltas') await compactCounter(database, Urgent, now);
    else await recount(database, Urgent, now);
  }
  await database.transaction(async (tx) => {
    const [first] = rows;
    if (first) recountRow(tx, Urgent, first, { ...first, priority: 2 });
    if (first) recountRow(tx, Urgent, first, { ...first, status: 'closed' });
  });
  t.deepEqual(await since('2026-02-27', { company_number: 1 }), { 1: 3 });
});

test('rows that are stored together are counted by values derived from other columns, and by defaults', async (t) => {
  const Job = table('job', { job_id: id(), company_number: int(), hours: int().default(2), late: int().nullable() });
  const lateness = { column: int(), of: ({ late, hours }: any) => (late === null ? null : late * hours) };
  const JobCount = counterTable('job_count', {
    of: Job,
    dimensions: ['company_number', 'lateness'],
    computed: { lateness: { ...lateness, sql: { sqlite: 'late * hours', mysql: 'late * hours' } } },
  });
  const database = await openTestDatabase([Job, ...JobCount.tables, ...coreTables]);
  t.teardown(() => database.close());
  const rows = [
    { company_number: 1, late: 3 },
    { company_number: 1, late: 3 },
    { company_number: 1, late: 3, hours: 4 },
    { company_number: 2, late: 1, hours: 6 },
    { company_number: 2 },
  ];
  const app = { plugins: [{ counters: [JobCount] }] };
  await database.transaction(async (tx) => {
    await tx.insert(Job, rows);
    updateCountersForNew({ app, db: tx, tx }, Job, rows);
  });
  t.is(await database.count(JobCount.deltas), 3);
  const counts = async () => Object.fromEntries(await readCounts(database, JobCount, 'lateness'));
  t.deepEqual(await counts(), { 6: 3, 12: 1 });
  await compactCounter(database, JobCount, now);
  t.is(await repairCounter(database, JobCount, now), 0);
});

test('a counter on a flag is compacted, read and repaired', async (t) => {
  const Product = table('product', { product_id: id(), active: flag() });
  const ProductCount = counterTable('product_count', { of: Product, dimensions: ['active'] });
  const database = await openTestDatabase([Product, ...ProductCount.tables, ...coreTables]);
  t.teardown(() => database.close());
  for (const active of [true, true, false])
    await database.transaction(async (tx) => {
      count(tx, ProductCount, { active });
      await tx.insert(Product, { active });
    });
  t.is(await compactCounter(database, ProductCount, now), 3);
  t.is(await readCount(database, ProductCount), 3);
  t.is(await readCount(database, ProductCount, { active: 1 }), 2);
  t.is(await repairCounter(database, ProductCount, now), 0);
  await database.run(sql`UPDATE product_count SET n = 5 WHERE active = 1`);
  t.is(await repairCounter(database, ProductCount, now), 1);
  t.is(await readCount(database, ProductCount, { active: 1 }), 2);
  t.is(await readCount(database, ProductCount), 3);
});

test('a counter rejects columns it cannot count by', (t) => {
  t.throws(() => counterTable('late_count', { of: Ticket, dimensions: ['created_at'] }), {
    message: 'ticket.created_at is of kind timestamp, which counters do not support',
  });
  t.throws(() => choice('open', 'closed').default('' as never), { message: /^The default "" does not fit/ });
});

test('wrong totals, months and days are detected and recounted', async (t) => {
  const database = await openTestDatabase(tables);
  t.teardown(() => database.close());
  await create(database, row(1, 'open'));
  await create(database, row(2, 'closed', '2026-10-02T09:30:00.000Z'));
  await compactCounter(database, TicketCount, now);
  await create(database, row(2, 'open'));
  t.is(await repairCounter(database, TicketCount, now), 0, 'open deltas are no mistake');
  await database.run(sql`DELETE FROM ticket_count_month WHERE company_number = 2`);
  t.is(await repairCounter(database, TicketCount, now), 1);
  t.is(await repairCounter(database, TicketCount, now), 0);
  t.is(await readCount(database, TicketCount, { company_number: 2 }), 2);
  await database.run(sql`UPDATE ticket_count_day SET n = 7 WHERE day = ${'2026-10-02'}`);
  t.is(await repairCounter(database, TicketCount, now), 1);
  await database.run(sql`DELETE FROM ticket_count_day`);
  t.is(await repairCounter(database, TicketCount, now), 2);
  t.is(await repairCounter(database, TicketCount, now), 0);
});

test('wrong days of each company, and wrong statistics of records, are detected and recounted', async (t) => {
  const Company = table('company', { company_number: int().primary(), open_tickets: int().default(0) });
  const DayCount = counterTable('day_count', {
    of: Ticket,
    dimensions: ['company_number', 'status'],
    day: 'created_at',
    daysOfEach: true,
    statistics: [statistic(Company, 'open_tickets', { status: 'open' })],
  });
  const database = await openTestDatabase([Ticket, Company, ...DayCount.tables, ...coreTables]);
  t.teardown(() => database.close());
  await database.insert(Company, [{ company_number: 1 }, { company_number: 2 }]);
  const add = (ticket: ReturnType<typeof row>) =>
    database.transaction(async (tx) => {
      count(tx, DayCount, ticket);
      await tx.insert(Ticket, ticket);
    });
  await add(row(1, 'open'));
  await add(row(2, 'closed'));
  await compactCounter(database, DayCount, now);
  await add(row(1, 'open'));
  t.is(await repairCounter(database, DayCount, now), 0, 'statistics are as of the last compaction');
  await database.run(sql`UPDATE day_count_day SET n = 3 WHERE company_number = 2`);
  t.is(await repairCounter(database, DayCount, now), 1);
  await database.run(sql`UPDATE company SET open_tickets = 9 WHERE company_number = 1`);
  t.is(await repairCounter(database, DayCount, now), 1);
  t.is((await database.findOneBy(Company, { company_number: 1 }))?.open_tickets, 1);
  t.is(await repairCounter(database, DayCount, now), 0);
  await compactCounter(database, DayCount, now);
  t.is((await database.findOneBy(Company, { company_number: 1 }))?.open_tickets, 2);
});
