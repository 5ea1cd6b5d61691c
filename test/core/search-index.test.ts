// The search index: what it stores, and how it stays up to date.
import type { New } from '@keelson/core/database';
import { openApp, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { In } from 'typeorm';
import { coreTables } from '../../core/process/database/tables.ts';
import { END, SearchProgress, SearchText, SearchWord } from '../../core/search/entities.ts';
import { blockOf, changeIds, idsIn, LONGEST_LIST } from '../../core/search/id-list.ts';
import { createIndexer } from '../../core/search/indexing/indexer.ts';
import core from '../../migrations/1763600000000-core.ts';
import joinedWords from '../../migrations/1795775328631-search-joined-words.ts';
import { numbers } from '../../modules/demo/seed/seed-words.ts';
import { seed } from '../../modules/demo/seed/seed.ts';
import { createCompany } from '../../modules/directory/api.ts';
import { reserveTicketNumbers, Ticket, updateTicket } from '../../modules/tickets/api.ts';
import { migrate } from '../../packages/database/migration/migrate.ts';
import { joined, sql } from '../../packages/database/statement/sql.ts';
import { plus } from '../../packages/kit/time.ts';
import { openTestDatabase } from '../../packages/testing/database.ts';
import { seedCompany } from '../accounts-seed.ts';
import { asKey, seedTicket } from '../tickets-seed.ts';

let app: TestApp;
test.before(async () => {
  app = await openApp();
});
test.after.always(() => app.close());

test('block ids are encoded and decoded under any additions and removals', (t) => {
  const next = numbers(7);
  const block = blockOf(5000);
  const first = block * 4096;
  for (let round = 0; round < 8; round++) {
    const held = new Set<number>();
    let stored = '';
    for (let step = 0; step < 8; step++) {
      const some = (n: number) => Array.from({ length: n }, () => first + Math.floor(next() * 4096));
      const [added, removed] = [some(1 + Math.floor(next() * 300)), some(Math.floor(next() * 60))];
      for (const each of removed) held.delete(each);
      for (const each of added) held.add(each);
      const changed = changeIds(stored, added, removed);
      stored = changed.ids;
      t.is(changed.held, held.size);
      t.true(stored.length <= LONGEST_LIST);
      t.deepEqual(
        idsIn(block, stored),
        [...held].sort((a, b) => a - b),
      );
    }
    t.deepEqual(changeIds(stored, [], [...held]), { held: 0, ids: '' });
  }
  const all = Array.from({ length: 4096 }, (_, i) => first + i);
  t.deepEqual(idsIn(block, changeIds('', all, []).ids), all);
});

test('an upgrade that changes the indexed words reindexes every table', async (t) => {
  const database = await openTestDatabase(coreTables, [core]);
  t.teardown(() => database.close());
  await database.insert(SearchProgress, { type: 'ticket', position: END });
  await migrate(database, [core, joinedWords]);
  t.is(await database.count(SearchProgress), 0);
});

test.serial('a record has a limited number of indexed words, one entry each', async (t) => {
  const { database, indexer } = app.app;
  const { company_number } = await seedCompany(app);
  const words = Array.from({ length: 700 }, (_, i) => `w${i.toString(36)}q`);
  const { ticket_id } = await seedTicket(app, { company_number, subject: 'Long', description: words.join(' ') });
  await indexer.drain();
  const row = await database.findOneBy(SearchText, { type: 'ticket', record_id: ticket_id });
  const stored = `${row?.name}${row?.main}${row?.more}`.split(' ').filter((each) => each !== '');
  t.is(stored.length, 300);
  t.is(new Set(stored).size, 300);
  const block = blockOf(ticket_id);
  const rows = await database.findBy(SearchWord, { type: 'ticket', block, word: In(stored) });
  t.true(rows.every(({ ids }) => idsIn(block, ids).includes(ticket_id)));
  t.is(rows.length, 300);
});

test.serial('reindex repairs missing entries and removes stale ones', async (t) => {
  const { database, indexer } = app.app;
  const { company_number } = await seedCompany(app, 'Mendable');
  const { ticket_id } = await seedTicket(app, { company_number, subject: 'Zebrawood desk' });
  const gone = await seedTicket(app, { company_number, subject: 'Ebonyblack desk' });
  await indexer.drain();
  await database.delete(SearchWord, { type: 'ticket', word: 'zebrawood' });
  await database.run(sql`DELETE FROM search_ending WHERE type = 'ticket' AND word = 'zebrawood'`);
  await database.run(sql`UPDATE ticket SET subject = 'Nothing' WHERE ticket_id = ${gone.ticket_id}`);
  const send = await asKey(app, ['tickets:read']);
  const found = async (word: string) => (await send('GET', `/search.php?q=${word}`)).body.data.tickets;
  t.deepEqual(await found('brawoo'), []);
  await indexer.rebuild(() => {});
  t.like(await found('brawoo'), [{ ticket_id }]);
  t.deepEqual(await found('ebonyblack'), []);
  const words = await database.query(sql`SELECT word FROM search_ending WHERE word = 'ebonyblack'`);
  t.deepEqual(words, []);
});

test('one process writes the index at a time; another takes over when it is gone', async (t) => {
  const { app: own, clock, run } = await startApp(t);
  const [first, second] = [createIndexer(() => own), createIndexer(() => own)];
  await run((ctx) => createCompany(ctx, { customer: 'One' }));
  t.true((await first.drain()) > 0);
  await run((ctx) => createCompany(ctx, { customer: 'Two' }));
  t.is(await second.drain(), 0, 'the first has the lease');
  clock.set(plus(own.clock.now(), { seconds: 41 }));
  t.true((await second.drain()) > 0);
  await run((ctx) => createCompany(ctx, { customer: 'Three' }));
  t.is(await first.drain(), 0);
  t.true((await second.drain()) > 0);
});

test('common words are matched as precisely as rare ones', async (t) => {
  const common = await startApp(t);
  const { database } = common.app;
  // Five-digit numbers: their fragments occur in many words.
  await reserveTicketNumbers(common.app, 10_000);
  await seed(common.app, { tickets: 1300, companies: 3 });
  const send = await asKey(common, ['tickets:read']);
  const texts = [
    'the',
    'floor',
    'socke',
    'screen fold',
    'print the start',
    'zz the',
    '1',
    '10',
    '1 0',
    'start 10',
    'the 100',
    'a',
    'printer an',
    'er 10',
    'ar',
  ];
  for (const each of texts) {
    const text = encodeURIComponent(each);
    const like = each
      .split(' ')
      .map((word) => `%${word}%`)
      .map(
        (word) => sql`(subject LIKE ${word} OR description LIKE ${word} OR ticket_number LIKE ${word}
          OR company_number IN (SELECT company_number FROM company WHERE customer LIKE ${word})
          OR requester_employee_number IN (SELECT employee_number FROM employee
            WHERE first_name LIKE ${word} OR last_name LIKE ${word}))`,
      );
    const [{ n = 0 } = {}] = await database.query<{ n: unknown }>(
      sql`SELECT COUNT(*) AS n FROM ticket WHERE ${joined(like)}`,
    );
    const { data } = (await send('GET', `/search.php?q=${text}&types=tickets&limit=50`)).body;
    t.deepEqual([data.total, data.total_capped], Number(n) > 1000 ? [1000, true] : [Number(n), undefined], text);
    const listed = (await send('GET', `/tickets.php?search=${text}&status=open&per_page=100`)).body;
    const [{ open = 0 } = {}] = await database.query<{ open: unknown }>(
      sql`SELECT COUNT(*) AS open FROM ticket WHERE ${joined(like)} AND status = 'open'`,
    );
    t.is(listed.pagination.total, Number(open), text);
    t.is(listed.data.length, Math.min(100, Number(open)));
  }
  const late = await seedTicket(common, { company_number: 1, subject: 'Thefts', description: '-' });
  t.is((await send('GET', '/search.php?q=theft&types=tickets')).body.data.total, 1);
  const { data } = (await send('GET', '/search.php?q=the&types=tickets&limit=2')).body;
  t.true(
    data.tickets.every(({ score }: { score: number }) => score === 1),
    'whole words before newer beginnings',
  );
  t.false(data.tickets.some(({ ticket_id }: { ticket_id: number }) => ticket_id === late.ticket_id));
});

test('words found only in older records are listed as exactly as others', async (t) => {
  const old = await startApp(t);
  const { company_number } = await seedCompany(old);
  const at = (i: number) => new Date(Date.parse('2026-02-01T00:00:00.000Z') + i * 60_000).toISOString();
  const tickets = Array.from({ length: 5000 }, (_, i): New<typeof Ticket> => ({
    ticket_id: i + 1,
    ticket_number: 5000 + i,
    subject: i < 2600 ? `Quokka ${i % 2 ? 'red' : 'blue'} ${(i * 7) % 2600}` : `Wombat ${i}`,
    priority: 1 + (i % 5),
    status: i % 3 ? 'closed' : 'open',
    job_type: 'General',
    company_number,
    source: 'admin',
    created_at: at(i),
    updated_at: at(i),
  }));
  await old.app.database.insert(Ticket, tickets);
  await old.app.indexer.rebuild(() => {});
  const send = await asKey(old, ['tickets:read']);
  const list = async (query: string) => (await send('GET', `/tickets.php?${query}`)).body;
  const subjects = (body: { data: { subject: string }[] }) => body.data.map(({ subject }) => subject);
  const newest = (keep: (ticket: New<typeof Ticket>) => boolean) =>
    tickets
      .filter(keep)
      .toReversed()
      .map(({ subject }) => subject);
  const quokkas = newest(({ subject }) => subject.startsWith('Quokka'));
  const open = newest(({ subject, status }) => subject.startsWith('Quokka') && status === 'open');
  const red = newest(({ subject }) => subject.includes('red'));

  const all = await list('search=quokka&per_page=50');
  t.deepEqual([subjects(all), all.pagination.total], [quokkas.slice(0, 50), 1000]);
  const later = await list('search=quokka&per_page=50&page=52');
  t.deepEqual([subjects(later), later.pagination.total], [quokkas.slice(2550), 2600]);
  const some = await list('search=uokk&status=open&per_page=10&page=2');
  t.deepEqual([subjects(some), some.pagination.total], [open.slice(10, 20), open.length]);
  const two = await list('search=quokka%20red&per_page=10');
  t.deepEqual([subjects(two), two.pagination.total], [red.slice(0, 10), 1000]);
  const sorted = await list('search=quokka&status=open&sort=subject&order=desc&per_page=10');
  t.deepEqual(
    subjects(sorted),
    open
      .toSorted((a, b) => a.localeCompare(b))
      .toReversed()
      .slice(0, 10),
  );
  const named = await list('search=quokka&status=open&sort=company_name&order=asc&per_page=10');
  t.is(named.pagination.total, open.length);
  // Changes not yet indexed count, and outdated index entries do not.
  await old.run(async (ctx) => {
    const [first] = await ctx.db.findBy(Ticket, { ticket_id: 2590 });
    if (first) await updateTicket(ctx, first, { subject: 'Numbat' });
    const [last] = await ctx.db.findBy(Ticket, { ticket_id: 4999 });
    if (last) await updateTicket(ctx, last, { subject: 'Quokka at last' });
  });
  const now = await list('search=quokka&per_page=3');
  t.deepEqual(subjects(now), ['Quokka at last', ...quokkas.filter((_, i) => i !== 10).slice(0, 2)]);
});

test('a short list with words common elsewhere is found by its facets', async (t) => {
  const sparse = await startApp(t);
  const [quokka, wombat] = [await seedCompany(sparse, 'Quokka Ltd'), await seedCompany(sparse, 'Wombat Ltd')];
  const at = (i: number) => new Date(Date.parse('2026-02-01T00:00:00.000Z') + ((i * 37) % 3000) * 60_000).toISOString();
  const tickets = Array.from({ length: 3000 }, (_, i): New<typeof Ticket> => ({
    // Every twentieth id, so that each block has few records with a word.
    ticket_id: (i + 1) * 20,
    ticket_number: 5000 + i,
    subject: `${i % 2 ? 'Quokka' : 'Numbat'} ${i % 3 ? 'red' : 'blue'}`,
    priority: 1 + (i % 5),
    status: i % 8 ? 'closed' : i % 16 ? 'on_hold' : 'open',
    job_type: 'General',
    company_number: i % 5 < 2 ? quokka.company_number : wombat.company_number,
    source: 'admin',
    created_at: at(i),
    updated_at: at(i),
  }));
  await sparse.app.database.insert(Ticket, tickets);
  await sparse.app.indexer.rebuild(() => {});
  const send = await asKey(sparse, ['tickets:read']);
  const listed = async (query: string) => {
    const { data, pagination } = (await send('GET', `/tickets.php?${query}&per_page=100`)).body;
    return { ids: data.map(({ ticket_id }: { ticket_id: number }) => ticket_id), total: pagination.total };
  };
  const expected = async (words: readonly string[], status: string) => {
    const rows = await sparse.app.database.query<{ ticket_id: unknown }>(sql`SELECT ticket_id FROM ticket
      WHERE status = ${status} AND ${joined(
        words.map(
          (word) => sql`(subject LIKE ${`%${word}%`} OR company_number IN
            (SELECT company_number FROM company WHERE customer LIKE ${`%${word}%`}))`,
        ),
      )} ORDER BY created_at DESC, ticket_id DESC`);
    return { ids: rows.slice(0, 100).map((each) => Number(each.ticket_id)), total: rows.length };
  };
  const check = async (words: readonly string[], status: string) =>
    t.deepEqual(
      await listed(`search=${words.join('%20')}&status=${status}`),
      await expected(words, status),
      `${words.join(' ')}, ${status}`,
    );
  for (const status of ['open', 'on_hold'])
    for (const words of [['red'], ['red', 'numbat'], ['blue', 'umba'], ['quokka'], ['quokka', 'red'], ['ltd']])
      await check(words, status);
  const sorted = await listed('search=red%20numbat&status=open&sort=priority&order=asc&priority=2');
  t.is(
    sorted.total,
    tickets.filter((each) => each.status === 'open' && / red/.test(each.subject) && each.priority === 2).length,
  );
  // A ticket closed in the index counts as soon as it is opened, and an open one stops counting when closed, before and
  // after indexing.
  const change = async (id: number, status: 'open' | 'closed') =>
    sparse.run(async (ctx) => {
      const [ticket] = await ctx.db.findBy(Ticket, { ticket_id: id });
      if (ticket) await updateTicket(ctx, ticket, { status });
    });
  await change(17 * 20, 'closed');
  await change(20 * 20, 'open');
  await check(['red'], 'open');
  await sparse.app.indexer.drain();
  await check(['red'], 'open');
  await check(['red'], 'on_hold');
});
