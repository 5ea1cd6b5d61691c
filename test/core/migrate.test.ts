import test, { type ExecutionContext } from 'ava';
import { z } from 'zod';
import { openDatabase, type OpenDatabase } from '../../packages/database/database.ts';
import { MissingReference } from '../../packages/database/db.ts';
import {
  migrate,
  migration,
  pendingMigrations,
  schemaDrift,
  type Migration,
} from '../../packages/database/migration/migrate.ts';
import { big, day, flag, id, int, json, key, ref, table, text, when } from '../../packages/database/schema/table.ts';
import { sql } from '../../packages/database/statement/sql.ts';
import { openTestDatabase } from '../../packages/testing/database.ts';

const Company = table('company', {
  company_number: id(),
  name: text(100),
  code: key(40).nullable().unique(),
  notes: text().default('none'),
  tags: json(z.array(z.string())).default([]),
  owner_number: ref('company.company_number').nullable(),
});
const Thing = table(
  'thing',
  {
    thing_id: id(),
    company_number: ref(Company),
    title: text(200).default('untitled'),
    size: big().default(0),
    urgent: flag().default(true),
    quiet: flag().default(false),
    created_at: when(),
    due_on: day().nullable(),
  },
  [['company_number', 'created_at'], ['due_on']],
  { unique: [['company_number', 'title']] },
);
const Member = table('member', { company_number: ref(Company).primary(), person_id: int().primary() });
const tables = [Thing, Company, Member];

const companies = migration('1763720000000-companies', async (m) => {
  const created = await m.createTable('company', {
    company_number: id(),
    name: text(100),
    code: key(40).nullable().unique(),
    old: int().nullable(),
  });
  await m.insert(created, [{ name: 'Acme', old: 3 }, { name: 'Beta' }]);
});
const things = migration('1763720000001-things', async (m) => {
  await m.createTable(
    'thing',
    {
      thing_id: id(),
      company_number: ref('company.company_number'),
      title: text(200).default('untitled'),
      size: big().default(0),
      urgent: flag().default(true),
      created_at: when(),
      due_on: day().nullable(),
    },
    [['company_number', 'created_at']],
    { unique: [['company_number', 'title']] },
  );
  await m.createTable('member', {
    company_number: ref('company.company_number').primary(),
    person_id: int().primary(),
  });
  await m.statement({
    sqlite: 'INSERT INTO member SELECT company_number, 1 FROM company',
    mysql: 'INSERT INTO member SELECT company_number, 1 FROM company',
  });
});
const changes = migration('1763720000002-changes', async (m) => {
  await m.addIndex('thing', ['due_on']);
  await m.addColumn('thing', 'quiet', flag().default(false));
  await m.addColumn('company', 'notes', text().default('none'));
  await m.addColumn('company', 'tags', json(z.array(z.string())).default([]));
  await m.addColumn('company', 'owner_number', ref('company.company_number').nullable());
  await m.dropColumn('company', 'old');
});
const all = [changes, companies, things];
const names = ['1763720000000-companies', '1763720000001-things', '1763720000002-changes'];

async function open(t: ExecutionContext, migrations: readonly Migration[]): Promise<OpenDatabase> {
  const database = await openTestDatabase(tables, migrations);
  t.teardown(() => database.close());
  return database;
}

async function isComplete(t: ExecutionContext, database: OpenDatabase) {
  t.deepEqual(await schemaDrift(database), []);
  t.deepEqual(await pendingMigrations(database, all), []);
  t.deepEqual(
    await database.query(sql`SELECT name FROM migration ORDER BY name`),
    names.map((name) => ({ name })),
  );
  t.deepEqual(await database.find(Company, { order: { company_number: 'ASC' } }), [
    { company_number: 1, name: 'Acme', code: null, notes: 'none', tags: [], owner_number: null },
    { company_number: 2, name: 'Beta', code: null, notes: 'none', tags: [], owner_number: null },
  ]);
  t.is(await database.count(Member), 2);
  // Foreign keys are enforced again.
  await t.throwsAsync(database.insertReturningId(Member, { company_number: 99, person_id: 1 }), {
    instanceOf: MissingReference,
  });
}

test('migrations create the declared tables, in order and once', async (t) => {
  const database = await open(t, []);
  t.deepEqual(await pendingMigrations(database, all), names);
  t.deepEqual(await migrate(database, all), names);
  await isComplete(t, database);
  t.deepEqual(await migrate(database, all), []);
});

test('a failed migration is not recorded and resumes when run again', async (t) => {
  for (let last = 1; last <= 6; last++) {
    const database = await open(t, [companies, things]);
    await t.throwsAsync(migrate(database, [companies, things, stoppedAfter(changes, last)]), { message: 'killed' });
    t.deepEqual(await pendingMigrations(database, all), [changes.name]);
    t.deepEqual(await migrate(database, all), [changes.name]);
    await isComplete(t, database);
  }
});

test('an interrupted migration does not insert rows twice', async (t) => {
  for (const last of [1, 2]) {
    const database = await open(t, []);
    await t.throwsAsync(migrate(database, [stoppedAfter(companies, last)]), { message: 'killed' });
    t.deepEqual(await migrate(database, all), names);
    await isComplete(t, database);
  }
});

test('tables created by a killed migration are not created again', async (t) => {
  const database = await open(t, [companies, things]);
  if (database.dialect === 'sqlite') return t.pass('SQLite rolls back');
  await database.source.query('CREATE INDEX ix_thing_due_on ON thing (due_on)');
  await database.source.query('ALTER TABLE thing ADD quiet tinyint NOT NULL DEFAULT 0');
  await database.source.query('ALTER TABLE company ADD notes longtext NULL');
  await database.source.query('ALTER TABLE company ADD owner_number int NULL');
  await database.source.query('ALTER TABLE company DROP COLUMN old');
  t.deepEqual(await migrate(database, all), [changes.name]);
  await isComplete(t, database);
});

test('two concurrent processes run each migration once', async (t) => {
  const database = await open(t, []);
  const runs = await Promise.all([migrate(database, all), migrate(database, all)]);
  t.deepEqual(runs.flat().toSorted(), names);
  await isComplete(t, database);
});

test('a migration waits while another process migrates, and says so', async (t) => {
  const database = await open(t, []);
  if (database.dialect === 'sqlite') return t.pass('SQLite locks its file');
  const other = database.source.createQueryRunner();
  t.teardown(() => other.release());
  await other.query("SELECT GET_LOCK(CONCAT('keelson.migrate.', DATABASE()), 0)");
  const [row]: { id: number }[] = await other.query('SELECT CONNECTION_ID() AS id');
  const said: number[] = [];
  const waiting = (connection: number) => {
    said.push(connection);
    void other.query("SELECT RELEASE_LOCK(CONCAT('keelson.migrate.', DATABASE()))");
  };
  t.deepEqual(await migrate(database, all, { waiting }), names);
  t.deepEqual(said, [Number(row?.id)]);
});

test('rows with broken references stop a migration', async (t) => {
  const database = await open(t, all);
  const wrong = migration('1763720000003-wrong', (m) =>
    m.statement({
      sqlite: 'INSERT INTO member (company_number, person_id) VALUES (77, 1)',
      mysql: 'INSERT INTO member (company_number, person_id) VALUES (77, 1)',
    }),
  );
  await t.throwsAsync(migrate(database, [...all, wrong]));
  t.is(await database.countBy(Member, { company_number: 77 }), 0);
  t.deepEqual(await pendingMigrations(database, [...all, wrong]), [wrong.name]);
});

test('a missing column or index is reported as drift', async (t) => {
  const database = await open(t, [companies, things]);
  const drift = (await schemaDrift(database)).join('\n');
  t.regex(drift, /owner_number/);
  t.regex(drift, /ix_thing_due_on/);
});

test('references to undeclared tables and badly named migrations are rejected', async (t) => {
  const options = { url: undefined, file: ':memory:', tables: [Member], log: { warn: () => {} } };
  await t.throwsAsync(openDatabase(options), { message: /fk_member_company_number refers to the table company/ });
  t.throws(() => migration('things', async () => {}), { message: /must be named/ });
});

// Returns the migration cut off after its step `last`.
function stoppedAfter({ name, up }: Migration, last: number): Migration {
  return migration(name, (m) => {
    let steps = 0;
    const stop = { ...m };
    for (const [key, method] of Object.entries(m)) {
      if (typeof method !== 'function') continue;
      Object.assign(stop, {
        [key]: async (...given: never[]) => {
          if (++steps > last) throw new Error('killed');
          const result = await Reflect.apply(method, m, given);
          if (steps === last) throw new Error('killed');
          return result;
        },
      });
    }
    return up(stop);
  });
}

test('an added column fills existing rows, and its texts compare without case', async (t) => {
  const facts = migration('1763720000009-facts', async (m) => {
    await m.addColumn('company', 'rating', int().default(7));
    await m.addColumn('company', 'active', flag().default(true));
    await m.addColumn('company', 'city', text(40).default('Bonn'));
    await m.addColumn('company', 'seen_on', day().nullable());
  });
  const database = await open(t, [companies, facts]);
  const read = (where = sql``) =>
    database.query(sql`SELECT name, old, rating, active, city, seen_on FROM company ${where} ORDER BY name`);
  const filled = { rating: 7, active: 1, city: 'Bonn', seen_on: null };
  t.deepEqual(await read(), [
    { name: 'Acme', old: 3, ...filled },
    { name: 'Beta', old: null, ...filled },
  ]);
  t.is((await read(sql`WHERE city = ${'BONN'}`)).length, 2);
});
