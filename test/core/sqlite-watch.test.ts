// SQLite runs in this process: tests how a long read is kept from blocking it. One test at a time, because each blocks the
// event loop on purpose.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { by, id, is, sql, table, text } from '@keelson/core';
import type { Db } from '@keelson/core/database';
import { countList, defineList, matching, readPage } from '@keelson/core/list';
import test, { type ExecutionContext } from 'ava';
import { Interrupted } from '../../packages/database/database-error.ts';
import { openDatabase, type OpenDatabase } from '../../packages/database/database.ts';
import { createTables } from '../../packages/database/migration/create-table.ts';
import { watchStatements } from '../../packages/database/sqlite/sqlite-watch.ts';
import { resolveScans } from '../../packages/list/page/list-scan.ts';
import { fc, properties } from '../_random.ts';

const testProp = properties(test);

const Note = table('watched_note', { note_id: id(), title: text(200), body: text() });
const notes = defineList({ table: Note, columns: ['note_id'], sorts: { note_id: by('note_id') } });

async function open(t: ExecutionContext, file = ':memory:'): Promise<OpenDatabase> {
  const database = await openDatabase({ url: undefined, file, tables: [Note], log: { warn: () => {} } });
  t.teardown(() => database.close());
  const runner = database.source.createQueryRunner();
  await createTables(runner);
  await runner.release();
  return database;
}

const endless = sql`WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number)
  SELECT COUNT(*) AS n FROM number WHERE in_time(i)`;
const unavailable = { instanceOf: Interrupted, message: 'Service temporarily unavailable' } as const;

const TRIES = 3;

test.serial('a long-running read is aborted, in memory and in a file; the next one works', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-'));
  t.teardown(() => rm(folder, { recursive: true }));
  for (const file of [':memory:', join(folder, 'data.sqlite')]) {
    const database = await open(t, file);
    // Take the minimum of several runs: garbage collection and compilation are not part of the statement's cost.
    const spent: number[] = [];
    for (let i = 0; i < TRIES; i++) {
      const before = process.threadCpuUsage();
      await t.throwsAsync(database.query(endless), unavailable);
      const { user, system } = process.threadCpuUsage(before);
      spent.push(user + system);
    }
    t.true(Math.min(...spent) < 200_000, `${spent.join(', ')} µs`);
    t.is(await database.insertReturningId(Note, { title: 'a', body: '' }), 1);
  }
});

/** A statement whose steps suspend its thread or work, by a clock of its own. */
function watched(t: ExecutionContext, steps: string) {
  const database = new DatabaseSync(':memory:');
  t.teardown(() => database.close());
  const time = { now: 0, worked: 0 };
  const watch = watchStatements(database, { now: () => time.now, worked: () => time.worked });
  database.function('suspend_for', (ms) => {
    time.now += Number(ms);
    return 1;
  });
  database.function('work_for', (ms) => {
    time.now += Number(ms);
    time.worked += Number(ms);
    return 1;
  });
  const statement = database.prepare(`SELECT 1 AS n WHERE in_time(1) AND ${steps} AND in_time(9)`);
  watch.begin();
  return () => statement.get()?.['n'];
}

test('a read continues after its thread was suspended', (t) => {
  t.is(watched(t, 'suspend_for(700) AND in_time(2) AND work_for(30)')(), 1);
  t.is(watched(t, 'work_for(60) AND suspend_for(700) AND in_time(2) AND suspend_for(95) AND work_for(5)')(), 1);
});

test('a read that waited for a CPU still gets all of its own time', (t) => {
  t.is(watched(t, 'suspend_for(95) AND in_time(2) AND work_for(40)')(), 1);
  t.is(watched(t, 'work_for(30) AND suspend_for(65) AND in_time(2) AND suspend_for(40) AND work_for(50)')(), 1);
});

test('a read that works beyond its time is aborted, suspended or not', (t) => {
  const message = 'Service temporarily unavailable';
  const tooLong = 'work_for(95) AND in_time(2) AND work_for(35)';
  t.throws(watched(t, tooLong), { instanceOf: Interrupted, message });
  t.throws(watched(t, `suspend_for(700) AND in_time(1) AND ${tooLong}`), { instanceOf: Interrupted, message });
});

test('a read whose thread is suspended again and again is aborted', (t) => {
  const again = Array.from({ length: 6 }, (_, at) => `in_time(${at}) AND suspend_for(100)`).join(' AND ');
  t.throws(watched(t, again), { instanceOf: Interrupted });
});

// Each row takes about a millisecond and is small.
const slowRows = (most: number) => sql`WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number)
  SELECT i, length(hex(randomblob(300000))) AS l FROM number LIMIT ${most}`;
const selectSlowRows = (most: number) => sql`SELECT * FROM (${slowRows(most)}) AS slow`;

test.serial('reading rows yields to others and ends when it takes too long', async (t) => {
  const database = await open(t);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  t.teardown(() => clearInterval(timer));
  t.is((await database.query(selectSlowRows(200))).length, 200);
  t.true(turns >= 5, `${turns} turns`);
  await t.throwsAsync(database.query(selectSlowRows(100_000)), unavailable);
  t.is((await database.query(selectSlowRows(10))).length, 10);
});

test.serial('a read that yields between rows may take longer than one that does not', async (t) => {
  const database = await open(t);
  const timed = sql`SELECT * FROM (${slowRows(300)}) AS slow WHERE in_time(i)`;
  t.is((await database.query(timed)).length, 300);
});

test.serial('statements wait for a running read, and an aborted statement can be sent again', async (t) => {
  const database = await open(t);
  const [slow, id, fast] = await Promise.all([
    database.query(selectSlowRows(40)),
    database.insertReturningId(Note, { title: 'a', body: '' }),
    database.query(selectSlowRows(3)),
  ]);
  t.deepEqual([slow.length, id, fast.length], [40, 1, 3]);
  const tooLong = sql`SELECT i FROM (WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number)
    SELECT i FROM number WHERE in_time(i) LIMIT 1000000000) AS endless WHERE i < 0`;
  await t.throwsAsync(database.query(tooLong), unavailable);
  await t.throwsAsync(database.query(tooLong), unavailable);
});

test.serial('a transaction with an aborted statement leaves nothing behind', async (t) => {
  const database = await open(t);
  const work = database.transaction(async (tx) => {
    await tx.insert(Note, { title: 'a', body: '' });
    await tx.query(endless);
  });
  await t.throwsAsync(work, unavailable);
  t.is(await database.count(Note), 0);
});

test.serial('a search over many rows yields to others and returns correct results', async (t) => {
  const database = await open(t);
  const rows = 20_000;
  const long = `${'é'.repeat(60_000)} needle`;
  await database.insert(
    Note,
    Array.from({ length: rows }, (_, i) => ({
      title: i % 100 ? 'Nothing' : `Ärger ${i}`,
      body: i % 1000 === 999 ? long : 'short',
    })),
  );
  const find = (search: string) => {
    const where = [matching(search, ['watched_note.title', 'watched_note.body'])];
    return readPage(database, notes, { where, sort: 'note_id', direction: 'desc', page: 1, size: 3 });
  };
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  t.deepEqual(await find('arger'), {
    rows: [{ note_id: 19_901 }, { note_id: 19_801 }, { note_id: 19_701 }],
    total: 200,
  });
  t.deepEqual(await find('NEEDLE é'), {
    rows: [{ note_id: 20_000 }, { note_id: 19_000 }, { note_id: 18_000 }],
    total: 20,
  });
  // More rows than are cached individually.
  t.is((await find('nothing')).total, rows - 200);
  clearInterval(timer);
  t.true(turns >= 5, `${turns} turns`);
});

test.serial('a search that takes too long in total is aborted, however small its steps', async (t) => {
  let asked = 0;
  const query = async () => [{ n: 1_000_000, last: ++asked, ms: 80, found_0: '[]' }];
  const slow = { dialect: 'sqlite', query } as unknown as Db;
  await t.throwsAsync(resolveScans(slow, notes, [matching('x', ['watched_note.title'])]), unavailable);
  t.true(asked < 30, `${asked} pieces`);
});

// Runs alone, because it measures how long this thread works.
test.serial('a list without a matching index or count ends in time before its first row', async (t) => {
  const database = await open(t);
  await database.query(sql`INSERT INTO watched_note (title, body)
    WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 3000000)
    SELECT 'title', 'body' FROM number`);
  const sorted = defineList({
    table: Note,
    columns: ['note_id'],
    sorts: { title: by('title'), note_id: by('note_id') },
  });
  const page = (sort: string) =>
    readPage(database, sorted, { where: [], sort, direction: 'asc', page: 1, size: 3, total: 3_000_000 });
  const before = process.threadCpuUsage();
  await t.throwsAsync(page('title'), unavailable);
  await t.throwsAsync(countList(database, sorted, [is('title', 'title')]), unavailable);
  const { user, system } = process.threadCpuUsage(before);
  t.true(user + system < 400_000, `${user + system} µs`);
  t.deepEqual((await page('note_id')).rows, [{ note_id: 1 }, { note_id: 2 }, { note_id: 3 }]);
});

const pattern = fc.array(fc.constantFrom('a', 'B', 'é', '%', '_', '!%', '!_', '!!'), { maxLength: 8 });
const words = fc.string({ unit: fc.constantFrom('a', 'b', 'E', '%', '_', '!'), maxLength: 12 });

testProp(
  'LIKE with an escape means what it says, whatever the case and accents',
  [pattern, words],
  async (t, parts, value) => {
    const database = await shared;
    const [row] = await database.query<{ found: number }>(
      sql`SELECT ${value} LIKE ${parts.join('')} ESCAPE '!' AS found`,
    );
    const plain = parts.map((each) => meaning[each] ?? each.toLowerCase().replace('é', 'e')).join('');
    t.is(row?.found, new RegExp(`^${plain}$`, 's').test(value.toLowerCase()) ? 1 : 0);
  },
);

const meaning: Readonly<Record<string, string>> = { '%': '.*', _: '.', '!%': '%', '!_': '_', '!!': '!' };
const shared = openDatabase({ url: undefined, file: ':memory:', tables: [Note], log: { warn: () => {} } });
test.after.always(async () => (await shared).close());

test.serial('LIKE with an escape matches nothing in nothing', async (t) => {
  const database = await shared;
  t.deepEqual(await database.query(sql`SELECT NULL LIKE ${'%a%'} ESCAPE '!' AS found`), [{ found: null }]);
});
