import test from 'ava';
import type { Database } from '../../packages/database/db.ts';
import { id, table, text } from '../../packages/database/schema/table.ts';
import type { Sql } from '../../packages/database/statement/sql.ts';
import { createNames, defineNames, NameVersion } from '../../packages/list/name-cache.ts';
import { openTestDatabase } from '../../packages/testing/database.ts';

const Company = table('company', { company_number: id(), name: text(100) });
const companyNames = defineNames(Company, ['name'], (company) => company.name);

// Other processes change nothing here, so nothing need be read again on a busy machine.
const patient = { kept: 1000, seconds: 3600 };

async function arrange() {
  const opened = await openTestDatabase([Company, NameVersion]);
  await opened.insert(Company, [{ name: 'Acme' }, { name: 'Blue' }]);
  const seen: string[] = [];
  const query = (statement: Sql) => (seen.push(statement.text), opened.query(statement));
  const database = { ...opened, query } as Database;
  return { database, seen };
}

async function rename(database: Database, names: ReturnType<typeof createNames>, name: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.update(Company, { company_number: 1 }, { name });
    await names.changed(tx, companyNames, 1);
  });
}

test('names are read once, for all ids together', async (t) => {
  const { database, seen } = await arrange();
  t.teardown(() => database.close());
  const names = createNames(patient);
  const both = new Map([
    [1, 'Acme'],
    [2, 'Blue'],
  ]);
  t.deepEqual(await names.get(database, companyNames, [1, 2, null, 1, 99]), both);
  t.deepEqual(await names.get(database, companyNames, [1, 2]), both);
  t.is(seen.length, 2, 'the versions and the names');
});

test('a change is visible in this process after its commit, and in its own transaction immediately', async (t) => {
  const { database } = await arrange();
  t.teardown(() => database.close());
  const names = createNames(patient);
  await names.get(database, companyNames, [1]);
  await database.transaction(async (tx) => {
    await tx.update(Company, { company_number: 1 }, { name: 'Acme Ltd' });
    await names.changed(tx, companyNames, 1);
    t.is((await names.get(tx, companyNames, [1])).get(1), 'Acme Ltd');
  });
  t.is((await names.get(database, companyNames, [1])).get(1), 'Acme Ltd');
});

test('a transaction reads a name once, and again after changing it', async (t) => {
  const { database } = await arrange();
  t.teardown(() => database.close());
  const names = createNames(patient);
  await database.transaction(async (tx) => {
    const seen: string[] = [];
    const query = (statement: Sql) => (seen.push(statement.text), tx.query(statement));
    const counted = { ...tx, query } as typeof tx;
    await names.get(counted, companyNames, [1, 2]);
    t.is((await names.get(counted, companyNames, [2, 1])).get(2), 'Blue');
    t.is(seen.length, 1);
    await tx.update(Company, { company_number: 1 }, { name: 'Acme Ltd' });
    await names.changed(counted, companyNames, 1);
    t.is((await names.get(counted, companyNames, [1])).get(1), 'Acme Ltd');
  });
});

test('a transaction reads its own change, even if others cache the old name meanwhile', async (t) => {
  const { database } = await arrange();
  t.teardown(() => database.close());
  const names = createNames(patient);
  await names.get(database, companyNames, [2]);
  // Another request, which does not see the change yet.
  const query = async <R>() => [{ company_number: 1, name: 'Acme' }] as R[];
  await database.transaction(async (tx) => {
    await tx.update(Company, { company_number: 1 }, { name: 'Acme Ltd' });
    await names.changed(tx, companyNames, 1);
    t.is((await names.get({ ...database, query } as Database, companyNames, [1])).get(1), 'Acme');
    t.is((await names.get(tx, companyNames, [1])).get(1), 'Acme Ltd');
  });
  t.is((await names.get(database, companyNames, [1])).get(1), 'Acme Ltd');
});

test('a transaction uses cached names only while they are fresh', async (t) => {
  const { database } = await arrange();
  t.teardown(() => database.close());
  const fresh = createNames(patient);
  const stale = createNames({ ...patient, seconds: 0 });
  for (const names of [fresh, stale]) await names.get(database, companyNames, [1]);
  await rename(database, createNames(patient), 'Acme Ltd');
  await database.transaction(async (tx) => {
    t.is((await fresh.get(tx, companyNames, [1])).get(1), 'Acme');
    t.is((await stale.get(tx, companyNames, [1])).get(1), 'Acme Ltd');
  });
});

test('a rolled-back change is not shown', async (t) => {
  const { database } = await arrange();
  t.teardown(() => database.close());
  const names = createNames(patient);
  const failed = database.transaction(async (tx) => {
    await tx.update(Company, { company_number: 1 }, { name: 'Never' });
    await names.changed(tx, companyNames, 1);
    await names.get(tx, companyNames, [1]);
    throw new Error('no');
  });
  await t.throwsAsync(failed, { message: 'no' });
  t.is((await names.get(database, companyNames, [1])).get(1), 'Acme');
});

test('a change in another process is visible within two seconds', async (t) => {
  const { database } = await arrange();
  t.teardown(() => database.close());
  const here = createNames();
  const there = createNames();
  await here.get(database, companyNames, [1]);
  await rename(database, there, 'Acme Ltd');
  // Waits are counted, so that a machine that stalls for a while does not matter.
  const seen = async () => (await here.get(database, companyNames, [1])).get(1);
  for (let waited = 0; waited < 2000 && (await seen()) !== 'Acme Ltd'; waited += 20) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  t.is(await seen(), 'Acme Ltd');
});

test('a name read while it was changing is not cached', async (t) => {
  const { database } = await arrange();
  t.teardown(() => database.close());
  const names = createNames(patient);
  // The name arrives only after another client changed it.
  const query = async <R>(statement: Sql) => {
    const rows = await database.query<R>(statement);
    if (statement.text.includes('FROM company')) await rename(database, names, 'Acme Ltd');
    return rows;
  };
  t.is((await names.get({ ...database, query } as Database, companyNames, [1])).get(1), 'Acme');
  t.is((await names.get(database, companyNames, [1])).get(1), 'Acme Ltd');
});

test('the number of cached names is limited', async (t) => {
  const { database, seen } = await arrange();
  t.teardown(() => database.close());
  const names = createNames({ ...patient, kept: 1 });
  await names.get(database, companyNames, [1]);
  await names.get(database, companyNames, [2]);
  await names.get(database, companyNames, [1]);
  t.is(seen.filter((each) => each.includes('FROM company')).length, 3);
});
