import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { In, IsNull, LessThan, MoreThanOrEqual, Not } from 'typeorm';
import { z } from 'zod';
import { openDatabase } from '../../packages/database/database.ts';
import { DuplicateKey, MissingReference, type AnyWhere } from '../../packages/database/db.ts';
import { schemaDrift } from '../../packages/database/migration/migrate.ts';
import { indexName } from '../../packages/database/schema/schema.ts';
import {
  big,
  choice,
  day,
  flag,
  id,
  int,
  json,
  key,
  ref,
  table,
  text,
  when,
} from '../../packages/database/schema/table.ts';
import { sql } from '../../packages/database/statement/sql.ts';
import { openTestDatabase } from '../../packages/testing/database.ts';

const Company = table('company', { company_number: id(), name: text(100), code: key(40).nullable().unique() });

const Thing = table(
  'thing',
  {
    thing_id: id(),
    company_number: ref(Company),
    parent_id: int().nullable(),
    size: big().default(0),
    count: int().default(7),
    title: text(200).default('untitled'),
    group: key(60).default(''),
    body: text().default(''),
    status: choice('open', 'closed').default('open'),
    urgent: flag().default(true),
    hidden: flag().default(false),
    created_at: when(),
    due_at: when().nullable(),
    birthday: day().nullable(),
    tags: json(z.array(z.string())).default([]),
    extra: json(z.record(z.string(), z.unknown())).nullable(),
  },
  [['company_number', 'status'], ['created_at']],
  { unique: [['company_number', 'group', 'title']] },
);

const Member = table('member', {
  company_number: ref(Company).primary(),
  person_id: int().primary(),
  role: text(20).default('user'),
});

const Named = table(
  'a_table_with_a_rather_long_name',
  { named_id: id(), a_column_with_a_long_name: int(), another_column_with_a_long_name: int() },
  [['a_column_with_a_long_name', 'another_column_with_a_long_name']],
);

const tables = [Thing, Company, Member, Named];
const at = '2026-11-21T09:30:00.123Z';

async function open(t: ExecutionContext) {
  const database = await openTestDatabase(tables);
  t.teardown(() => database.close());
  const company = await database.insertReturningId(Company, { name: 'Acme' });
  return { database, company };
}

test('every kind of column round-trips', async (t) => {
  const { database, company } = await open(t);
  const row = {
    company_number: company,
    parent_id: -5,
    size: Number.MAX_SAFE_INTEGER,
    count: 0,
    title: 'Ünïcode 🙂 \'quoted\' "twice" \\ ? `x`',
    group: 'A',
    body: `long ${'ä'.repeat(70_000)}`,
    status: 'closed' as const,
    urgent: false,
    hidden: true,
    created_at: at,
    due_at: '1999-12-31T23:59:59.999Z',
    birthday: '2024-02-29',
    tags: ['a', "b'c"],
    extra: { deep: [1, null, { x: true }] },
  };
  // Frequent statements take another path (mysql-ask.ts) and must return the same.
  for (let i = 0; i < 30; i++) {
    const thing = { ...row, group: `A${i}` };
    const thing_id = await database.insertReturningId(Thing, thing);
    t.deepEqual(await database.findOneBy(Thing, { thing_id }), { thing_id, ...thing });
  }
});

test('defaults and nulls match their declaration', async (t) => {
  const { database, company } = await open(t);
  const thing_id = await database.insertReturningId(Thing, { company_number: company, created_at: at });
  t.deepEqual(await database.findOneBy(Thing, { thing_id }), {
    thing_id,
    company_number: company,
    parent_id: null,
    size: 0,
    count: 7,
    title: 'untitled',
    group: '',
    body: '',
    status: 'open',
    urgent: true,
    hidden: false,
    created_at: at,
    due_at: null,
    birthday: null,
    tags: [],
    extra: null,
  });
});

test('the declared tables match the database', async (t) => {
  const { database } = await open(t);
  t.deepEqual(await schemaDrift(database), []);
});

test('names too long for MySQL are shortened consistently', (t) => {
  const columns = ['a_column_with_a_long_name', 'another_column_with_a_long_name'];
  const name = indexName(Named.name, { columns, unique: false });
  t.is(name.length, 64);
  t.is(name, indexName(Named.name, { columns, unique: false }));
  t.not(name, indexName(Named.name, { columns: [...columns, 'x'], unique: false }));
});

test('rows are found by value, null, list and comparison, ordered and limited', async (t) => {
  const { database } = await open(t);
  await database.insert(Company, [
    { name: 'Beta', code: 'b' },
    { name: 'Gamma', code: 'B' },
    { name: 'Delta', code: 'd ' },
  ]);
  const names = async (where: AnyWhere<typeof Company>) =>
    (await database.find(Company, { where, order: { name: 'ASC' } })).map((each) => each.name);
  t.deepEqual(await names({}), ['Acme', 'Beta', 'Delta', 'Gamma']);
  t.deepEqual(await names({ code: 'b' }), ['Beta']);
  t.deepEqual(await names({ code: 'd' }), []);
  t.deepEqual(await names({ code: IsNull() }), ['Acme']);
  t.deepEqual(await names({ code: In(['b', 'B']) }), ['Beta', 'Gamma']);
  t.deepEqual(await names({ code: In([]) }), []);
  t.deepEqual(await names({ company_number: LessThan(3), name: Not('Acme') }), ['Beta']);
  t.deepEqual(await names({ company_number: MoreThanOrEqual(3) }), ['Delta', 'Gamma']);
  t.is(await database.count(Company), 4);
  t.is(await database.countBy(Company, { code: In(['b', 'B']) }), 2);
  const last = await database.find(Company, {
    order: { company_number: 'DESC' },
    take: 1,
    lock: { mode: 'pessimistic_write' },
  });
  t.deepEqual(
    last.map((each) => each.name),
    ['Delta'],
  );
});

test('counts and sums of raw queries are numbers', async (t) => {
  const { database } = await open(t);
  const rows = await database.query(
    sql`SELECT COUNT(*) AS n, SUM(company_number) AS s FROM company WHERE name = ${'Acme'}`,
  );
  t.deepEqual(rows, [{ n: 1, s: 1 }]);
});

test('update and remove return the number of matching rows', async (t) => {
  const { database, company } = await open(t);
  t.is((await database.update(Company, { company_number: company }, { name: 'Acme' })).affected, 1);
  t.is((await database.update(Company, { company_number: 99 }, { name: 'x' })).affected, 0);
  const oneOf = [
    { company_number: company, name: 'Other' },
    { company_number: In([company]), name: 'Acme' },
  ];
  t.is((await database.update(Company, oneOf, { name: 'Acme' })).affected, 1);
  for (const none of [[], [{}], [{ name: 'Acme' }, {}]])
    await t.throwsAsync(database.update(Company, none, { name: 'x' }), { instanceOf: TypeError });
  t.is(await database.run(sql`UPDATE company SET name = ${'New'} WHERE company_number = ${company}`), 1);
  t.is((await database.findOneBy(Company, { company_number: company }))?.name, 'New');
  t.is((await database.delete(Company, { company_number: company })).affected, 1);
  t.is((await database.delete(Company, { company_number: company })).affected, 0);
});

test('an upsert adds a row or changes only the given columns', async (t) => {
  const { database, company } = await open(t);
  const keys = ['company_number', 'person_id'] as const;
  await database.upsert(Member, { company_number: company, person_id: 1, role: 'admin' }, keys);
  await database.upsert(Member, { company_number: company, person_id: 1 }, keys);
  t.deepEqual(await database.find(Member), [{ company_number: company, person_id: 1, role: 'admin' }]);
  await database.upsert(Member, { company_number: company, person_id: 1, role: 'boss' }, keys);
  t.is((await database.findOneBy(Member, { person_id: 1 }))?.role, 'boss');
});

test('a table without a generated id returns 0, a given id is returned', async (t) => {
  const { database, company } = await open(t);
  t.is(await database.insertReturningId(Member, { company_number: company, person_id: 1 }), 0);
  t.is(await database.insertReturningId(Company, { company_number: 500, name: 'given' }), 500);
  t.is(await database.insertReturningId(Company, { name: 'next' }), 501);
});

test('ids of deleted rows are not reused', async (t) => {
  const { database, company } = await open(t);
  const last = await database.insertReturningId(Company, { name: 'gone' });
  await database.delete(Company, { company_number: last });
  t.is(await database.insertReturningId(Company, { name: 'next' }), last + 1);
  t.is(company, 1);
});

test('thousands of rows are inserted in one call', async (t) => {
  const { database } = await open(t);
  const rows = Array.from({ length: 12_000 }, (_, i) => ({ name: `n${i}`, code: `c${i}` }));
  await database.insert(Company, rows);
  t.is(await database.count(Company), 12_001);
  t.is(await database.countBy(Company, { code: 'c11999' }), 1);
});

test('bulk inserts apply defaults to omitted columns', async (t) => {
  const { database, company } = await open(t);
  const row = (title: string) => ({ company_number: company, title, created_at: at });
  await database.insert(Thing, row('one'));
  await database.insert(Thing, [
    ...Array.from({ length: 98 }, (_, i) => row(`many ${i}`)),
    { ...row('last'), due_at: at },
  ]);
  const [one, first] = await database.find(Thing, { order: { thing_id: 'ASC' }, take: 2 });
  t.deepEqual({ ...first, thing_id: one?.thing_id, title: one?.title }, one);
  const last = await database.findOneBy(Thing, { title: 'last' });
  t.deepEqual(last, { ...first, thing_id: 100, title: 'last', due_at: at });
});

test('bulk inserts store defaults and nulls like single inserts', async (t) => {
  const { database, company } = await open(t);
  const row = (title: string) => ({ company_number: company, title, created_at: at });
  const [defaults] = await (async () => {
    await database.insert(Thing, row('one'));
    return database.findBy(Thing, { title: 'one' });
  })();
  if (!defaults) throw new Error('It is missing');
  const { thing_id: _id, ...given } = defaults;
  await database.insert(
    Thing,
    Array.from({ length: 60 }, (_, i) => ({ ...given, title: `many ${i}` })),
  );
  const many = await database.findBy(Thing, { title: 'many 59' });
  t.deepEqual(
    many.map(({ thing_id: _other, ...rest }) => rest),
    [{ ...given, title: 'many 59' }],
  );
  const wrong = Array.from({ length: 60 }, () => ({ ...row('x'), colour: 'red' }));
  await t.throwsAsync(database.insert(Thing, wrong), { message: /has no column colour/ });
});

test('bulk inserts with explicit ids apply database defaults', async (t) => {
  const { database, company } = await open(t);
  const row = (title: string) => ({ company_number: company, title, created_at: at });
  await database.insert(Thing, { ...row('one'), thing_id: 1000 });
  await database.insert(
    Thing,
    Array.from({ length: 60 }, (_, i) => ({ ...row(`many ${i}`), thing_id: 2000 + i })),
  );
  const one = await database.findOneBy(Thing, { thing_id: 1000 });
  t.deepEqual(await database.findOneBy(Thing, { thing_id: 2059 }), { ...one, thing_id: 2059, title: 'many 59' });
});

test('a duplicate key error names its index', async (t) => {
  const { database, company } = await open(t);
  const index = async (work: Promise<unknown>) => (await t.throwsAsync(work, { instanceOf: DuplicateKey }))?.index;
  await database.insert(Company, { name: 'x', code: "it's" });
  t.is(await index(database.insertReturningId(Company, { name: 'y', code: "it's" })), 'ux_company_code');
  t.is(await index(database.insertReturningId(Company, { company_number: company, name: 'z' })), 'PRIMARY');
  const thing = { company_number: company, created_at: at, group: 'g', title: 't' };
  await database.insert(Thing, thing);
  t.is(await index(database.insertReturningId(Thing, thing)), 'ux_thing_company_number_group_title');
  await database.insert(Member, { company_number: company, person_id: 1 });
  t.is(await index(database.insertReturningId(Member, { company_number: company, person_id: 1 })), 'PRIMARY');
});

test('rows with broken references, and deleting referenced rows, are rejected', async (t) => {
  const { database, company } = await open(t);
  await t.throwsAsync(database.insertReturningId(Member, { company_number: 99, person_id: 1 }), {
    instanceOf: MissingReference,
  });
  await database.insert(Member, { company_number: company, person_id: 1 });
  await t.throwsAsync(database.delete(Company, { company_number: company }), { instanceOf: MissingReference });
});

test('invalid column values are rejected before they reach the database', async (t) => {
  const { database, company } = await open(t);
  const refused = (work: () => Promise<unknown>) => t.throwsAsync(work, { instanceOf: TypeError });
  await refused(() => database.findOneBy(Company, { code: 0 as never }));
  await refused(() => database.findOneBy(Company, { company_number: '1abc' as never }));
  await refused(() => database.findOneBy(Company, { company_number: undefined as never }));
  await refused(() => database.findOneBy(Company, { ['1=1 OR name']: 'x' } as never));
  await refused(() => database.insertReturningId(Company, { name: 'x'.repeat(101) }));
  await refused(() => database.insertReturningId(Company, {} as never));
  await refused(() => database.insertReturningId(Company, { name: 'x', nme: 'y' } as never));
  await refused(() => database.insertReturningId(Thing, { company_number: company, created_at: '2026-11-21' }));
  await refused(() => database.insertReturningId(Thing, { company_number: company, created_at: at, count: 2 ** 31 }));
  await refused(() => database.find(Company, { order: { ['name; DROP' as never]: 'ASC' } }));
  await refused(() => database.update(Company, {}, { name: 'all' }));
  await refused(() => database.delete(Company, {}));
  await refused(() => database.query(sql`SELECT ${{}}`));
  t.is(await database.count(Company), 1);
  await t.notThrowsAsync(() => database.insertReturningId(Company, { name: '🙂'.repeat(100) }));
});

test('our errors do not contain parameters', async (t) => {
  const { database } = await open(t);
  const error = await t.throwsAsync(database.query(sql`SELECT * FROM company WHERE no_such = ${'a secret'}`));
  t.false(inspect(error).includes('a secret'));
});

test('statements can be counted', async (t) => {
  const { database } = await open(t);
  const seen: string[] = [];
  database.onStatement = (each) => seen.push(each);
  await database.find(Company);
  await database.count(Company);
  t.is(seen.length, 2);
});

test('repeated statements keep returning the same rows', async (t) => {
  const { database } = await open(t);
  const ask = (title: string | null, count: number, urgent: boolean) =>
    database.query(
      sql`SELECT ${title} AS title, ${count} AS count, company_number + ${count} AS sum, ${urgent} = TRUE AS urgent
        FROM company WHERE company_number >= ${count - count} ORDER BY company_number LIMIT ${1} OFFSET ${0}`,
    );
  const first = JSON.stringify(await ask("it's \\ 🙂", 3, true));
  for (let i = 0; i < 60; i++) t.is(JSON.stringify(await ask("it's \\ 🙂", 3, true)), first);
  const [other] = await ask(null, 4, false);
  t.is(other?.['title'], null);
  t.is(Number(other?.['urgent']), 0);
});

test('ping returns true', async (t) => {
  const { database } = await open(t);
  t.true(await database.ping());
});

test('an SQLite file is private, durable and runs with synchronous FULL', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-'));
  const file = join(folder, 'deep', 'data.sqlite');
  const log = { warn: () => {} };
  const database = await openDatabase({ url: undefined, file, tables: [Company], log });
  await database.source.synchronize();
  await database.insert(Company, { name: 'kept' });
  t.deepEqual(await database.query(sql`SELECT journal_mode AS mode FROM pragma_journal_mode`), [{ mode: 'wal' }]);
  t.deepEqual(await database.query(sql`SELECT synchronous AS level FROM pragma_synchronous`), [{ level: 2 }]);
  const [limit] = await database.query(sql`SELECT journal_size_limit AS bytes FROM pragma_journal_size_limit`);
  t.deepEqual(limit, { bytes: 64 * 1024 ** 2 }, 'the log file shrinks again after a large write');
  t.is(statSync(file).mode & 0o777, 0o600);
  t.is(statSync(`${file}-wal`).mode & 0o777, 0o600);
  const second = await openDatabase({ url: undefined, file, tables: [Company], log });
  t.is(await second.count(Company), 1);
  await Promise.all([database.close(), second.close()]);
  await rm(folder, { recursive: true });
});

test('an SQLite file locked by another connection is waited for, then reported as unavailable', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-'));
  const file = join(folder, 'data.sqlite');
  const options = { url: undefined, file, tables: [Company], log: { warn: () => {} }, deadlineMs: 400 };
  const [one, two] = [await openDatabase(options), await openDatabase(options)];
  await one.source.synchronize();
  const started = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = one.transaction(async (tx) => {
    await tx.insert(Company, { name: 'first' });
    started.resolve();
    await held.promise;
  });
  await started.promise;
  await t.throwsAsync(two.insertReturningId(Company, { name: 'second' }), {
    message: 'Service temporarily unavailable',
  });
  t.is(await two.count(Company), 0);
  const third = two.insertReturningId(Company, { name: 'third' });
  held.resolve();
  await holding;
  await third;
  t.is(await two.count(Company), 2);
  await Promise.all([one.close(), two.close()]);
  await rm(folder, { recursive: true });
});
