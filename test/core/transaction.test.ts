import test, { type ExecutionContext } from 'ava';
import { In } from 'typeorm';
import { DuplicateKey, type Transaction } from '../../packages/database/db.ts';
import { id, int, key, ref, table, text } from '../../packages/database/schema/table.ts';
import { sql } from '../../packages/database/statement/sql.ts';
import { openTestDatabase, type TestDatabaseOptions } from '../../packages/testing/database.ts';

/** Conflicts end a transaction after this many tries, however early it is. */
const MOST_TRIES = 9;

const onServer = process.env['TEST_DATABASE_URL'] !== undefined;
const serverTest = onServer ? test : test.skip;
const sqliteTest = onServer ? test.skip : test;

const Account = table('account', { account_id: id(), code: key(20).unique(), amount: int().default(0) });
const Line = table('line', { line_id: id(), account_id: ref(Account), note: text(50) });
const Event = table('event', { event_id: id(), name: text(50) });
const tables = [Account, Line, Event];

async function open(t: ExecutionContext, options: TestDatabaseOptions = {}) {
  const database = await openTestDatabase(tables, undefined, options);
  t.teardown(() => database.close());
  await database.insert(Account, [{ code: 'a' }, { code: 'b' }]);
  return database;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('a rollback affects only its own rows', async (t) => {
  const database = await open(t);
  const failing = database.transaction(async (tx) => {
    await tx.insert(Account, { code: 'dirty' });
    await pause(50);
    throw new Error('no');
  });
  const [failed, saved, seen] = await Promise.allSettled([
    failing,
    pause(10).then(() => database.insertReturningId(Account, { code: 'clean' })),
    pause(10).then(() => database.countBy(Account, { code: 'dirty' })),
  ]);
  t.is(failed.status, 'rejected');
  t.is(saved.status, 'fulfilled');
  t.like(seen, { status: 'fulfilled', value: 0 });
  t.is(await database.countBy(Account, { code: In(['dirty', 'clean']) }), 1);
});

test('of two concurrent transactions the failing one is rolled back and the other kept', async (t) => {
  const database = await open(t);
  const run = (code: string, fails: boolean) =>
    database.transaction(async (tx) => {
      await tx.insert(Account, { code });
      await pause(20);
      if (fails) throw new Error(code);
    });
  const [x, y] = await Promise.allSettled([run('x', true), run('y', false)]);
  t.is(x.status, 'rejected');
  t.is(y.status, 'fulfilled');
  t.deepEqual(
    (await database.findBy(Account, { code: In(['x', 'y']) })).map((each) => each.code),
    ['y'],
  );
});

test('of 50 concurrent transactions exactly the successful ones are kept', async (t) => {
  const database = await open(t);
  const run = (i: number) =>
    database.transaction(async (tx) => {
      const account_id = await tx.insertReturningId(Account, { code: `n${i}` });
      await tx.insert(Line, { account_id, note: `n${i}` });
      if (i % 2 === 1) throw new Error('half of them fail');
    });
  const results = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => run(i)));
  t.is(results.filter((each) => each.status === 'fulfilled').length, 25);
  const notes = (await database.find(Line)).map((each) => Number(each.note.slice(1)));
  t.deepEqual(
    notes.toSorted((a, b) => a - b),
    Array.from({ length: 25 }, (_, i) => i * 2),
  );
  t.is(await database.count(Account), 27);
});

test('conflicting transactions are retried until all have succeeded', async (t) => {
  const database = await open(t);
  let tries = 0;
  const add = (tx: Transaction, account_id: number) =>
    tx.run(sql`UPDATE account SET amount = amount + 1 WHERE account_id = ${account_id}`);
  const transfer = (first: number, second: number) =>
    database.transaction(async (tx) => {
      tries++;
      await add(tx, first);
      await pause(5);
      await add(tx, second);
    });
  await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? transfer(1, 2) : transfer(2, 1))));
  t.deepEqual(
    (await database.find(Account)).map((each) => each.amount),
    [20, 20],
  );
  if (onServer) t.true(tries > 20, 'no deadlock was provoked');
  t.log(`${tries} tries for 20 transactions`);
});

serverTest('a statement of its own that loses to a transaction is tried again', async (t) => {
  const database = await open(t);
  await database.insert(Account, [{ code: 'c' }, { code: 'd' }]);
  // The table innodb_trx is a copy that is renewed only after a tenth of a second in which nobody has read it.
  const waits = async () => {
    const [row] = await database.query<{ Status: string }>(sql`SHOW ENGINE INNODB STATUS`);
    return /a statement of its own[^]{0,200}HAS BEEN WAITING/.test(row?.Status ?? '');
  };
  let alone: Promise<unknown> | undefined;
  await database.transaction(async (tx) => {
    // It changes more rows, so the server aborts the other one.
    await tx.run(sql`UPDATE account SET amount = 1 WHERE code IN (${'a'}, ${'c'}, ${'d'})`);
    // Locks b, then waits for a.
    alone = database.run(
      sql`UPDATE account SET amount = amount + 10 WHERE code IN (${'a'}, ${'b'}) ORDER BY code DESC /* a statement of its own */`,
    );
    while (!(await waits())) await pause(20);
    await tx.run(sql`UPDATE account SET amount = 2 WHERE code = ${'b'}`);
  });
  await alone;
  t.deepEqual(
    (await database.find(Account, { order: { code: 'ASC' } })).map(({ code, amount }) => [code, amount]),
    [
      ['a', 11],
      ['b', 12],
      ['c', 1],
      ['d', 1],
    ],
  );
});

serverTest('a transaction that swallowed its deadlock is still tried again as a whole', async (t) => {
  const database = await open(t);
  let swallowed = 0;
  let arrived = 0;
  const both = Promise.withResolvers<void>();
  const clash = (first: number, second: number) =>
    database.transaction(async (tx) => {
      await tx.update(Account, { account_id: first }, { amount: first });
      if (++arrived === 2) both.resolve();
      await both.promise;
      await tx.update(Account, { account_id: second }, { amount: second }).catch(() => swallowed++);
      await tx.insert(Event, { name: 'after' });
    });
  await Promise.all([clash(1, 2), clash(2, 1)]);
  t.is(swallowed, 1);
  t.is(await database.count(Event), 2);
});

serverTest('waiting for a lock in vain ends at the deadline and answers unavailable', async (t) => {
  const database = await open(t, { deadlineMs: 2500 });
  const account_id = await database.insertReturningId(Account, { code: 'c' });
  const locked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = database.transaction(async (tx) => {
    await tx.findOne(Account, { where: { account_id }, lock: { mode: 'pessimistic_write' } });
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  let tries = 0;
  const waiting = database.transaction((tx) => {
    tries++;
    return tx.update(Account, { account_id }, { amount: 1 });
  });
  await t.throwsAsync(waiting, { message: 'Service temporarily unavailable' });
  // Deadlines count only the time in which the process is awake, so a machine under load has time for more than two.
  t.true(tries < MOST_TRIES, `${tries} tries of a second each`);
  t.true(await database.ping());
  held.resolve();
  await holding;
  t.is((await database.update(Account, { account_id }, { amount: 1 })).affected, 1);
});

sqliteTest('a transaction waits for its turn again after the process was suspended', async (t) => {
  const database = await open(t, { deadlineMs: 1000 });
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = database.transaction(async () => {
    begun.resolve();
    await held.promise;
  });
  await begun.promise;
  const waiting = database.insertReturningId(Account, { code: 'c' });
  await pause(10);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
  // The timers that are due run first.
  await pause(1);
  held.resolve();
  await holding;
  t.is(await waiting, 3);
});

test('appended rows are written with the commit, merged by table, in order', async (t) => {
  const database = await open(t);
  const statements: string[] = [];
  const writes = await database.transaction(async (tx) => {
    database.onStatement = (each) => statements.push(each);
    tx.append(Event, { name: 'one' });
    await tx.insert(Account, { code: 'c' });
    tx.append(Line, { account_id: 1, note: 'line' });
    tx.append(Event, { name: 'two' });
    t.is(await tx.count(Event), 0);
    return tx.writes();
  });
  database.onStatement = undefined;
  t.is(writes, 4);
  t.deepEqual(
    (await database.find(Event, { order: { event_id: 'ASC' } })).map((each) => each.name),
    ['one', 'two'],
  );
  t.is(await database.count(Line), 1);
  t.is(statements.filter((each) => /INSERT INTO `event`/.test(each)).length, 1);
  // The insert, the count and the commit; on MariaDB the commit is one round trip whatever was appended.
  if (database.mariadb) t.is(statements.length, 3);
});

test('a failing appended row rolls back the transaction', async (t) => {
  const database = await open(t);
  const failing = database.transaction(async (tx) => {
    await tx.insert(Account, { code: 'c' });
    tx.append(Event, { name: 'lost' });
    tx.append(Account, { code: 'a' });
  });
  t.is((await t.throwsAsync(failing, { instanceOf: DuplicateKey }))?.index, 'ux_account_code');
  const onlyAppended = database.transaction(async (tx) => {
    tx.append(Event, { name: 'lost' });
    tx.append(Account, { code: 'a' });
  });
  await t.throwsAsync(onlyAppended, { instanceOf: DuplicateKey });
  t.is(await database.count(Event), 0);
  t.is(await database.count(Account), 2);
  t.is((await database.insertReturningId(Account, { code: 'c' })) > 0, true);
});

test('a deferred row is written before the next statement or with the commit', async (t) => {
  const database = await open(t);
  const row = (account_id: number, code: string) => ({ account_id, code, amount: 0 });
  const statements: string[] = [];
  await database.transaction(async (tx) => {
    tx.deferInsert(Account, row(11, 'soon'));
    t.is((await tx.findOneBy(Account, { account_id: 11 }))?.code, 'soon');
    tx.deferInsert(Account, row(12, 'child'));
    await tx.insert(Line, { account_id: 12, note: 'refers to it' });
    tx.deferInsert(Account, row(13, 'last'));
    tx.append(Line, { account_id: 13, note: 'refers to it as well' });
    t.is(tx.writes(), 5);
  });
  await database.transaction(async (tx) => {
    database.onStatement = (each) => statements.push(each);
    tx.deferInsert(Account, row(14, 'alone'));
  });
  database.onStatement = undefined;
  if (database.mariadb) t.is(statements.length, 1);
  t.is(await database.count(Line), 2);
  t.is(await database.count(Account), 6);
  const failing = database.transaction(async (tx) => tx.deferInsert(Account, row(14, 'again')));
  await t.throwsAsync(failing, { instanceOf: DuplicateKey });
  const undone = database.transaction(async (tx) => {
    tx.deferInsert(Account, row(15, 'undone'));
    await tx.insert(Line, { account_id: 15, note: 'undone' });
    throw new Error('no');
  });
  await t.throwsAsync(undone, { message: 'no' });
  t.is(await database.count(Account), 6);
});

test('very many appended rows are written too', async (t) => {
  const database = await open(t);
  await database.transaction(async (tx) => {
    for (let i = 0; i < 3000; i++) tx.append(Event, { name: `e${i}` });
  });
  t.is(await database.count(Event), 3000);
});

test('after-commit work runs once, after the commit, and its errors are only logged', async (t) => {
  const warned: string[] = [];
  // CI's server does not flush to disk on commit, which logs another warning.
  const log = { warn: (_: object, message: string) => /POWER FAILURE/.test(message) || warned.push(message) };
  const database = await open(t, { log });
  const order: string[] = [];
  await database.transaction(async (tx) => {
    await tx.insert(Account, { code: 'x' });
    tx.afterCommit(() => order.push('after'));
    tx.afterCommit(() => {
      throw new Error('too late');
    });
    order.push('work');
  });
  const failing = database.transaction(async (tx) => {
    tx.afterCommit(() => order.push('never'));
    throw new Error('no');
  });
  await t.throwsAsync(failing, { message: 'no' });
  t.deepEqual(order, ['work', 'after']);
  t.deepEqual(warned, ['An after-commit callback failed']);
});

test('a rejected row does not end the transaction, first statement or not', async (t) => {
  const database = await open(t);
  await database.transaction(async (tx) => {
    await t.throwsAsync(tx.insertReturningId(Account, { code: 'a' }), { instanceOf: DuplicateKey });
    await tx.insert(Account, { code: 'kept' });
    await t.throwsAsync(tx.insertReturningId(Account, { code: 'a' }), { instanceOf: DuplicateKey });
    await tx.insert(Event, { name: 'kept' });
  });
  const failing = database.transaction(async (tx) => {
    // Swallowed on purpose: the test checks the rest of the transaction.
    await tx.insertReturningId(Account, { code: 'a' }).catch(() => {});
    await tx.insert(Account, { code: 'undone' });
    throw new Error('no');
  });
  await t.throwsAsync(failing, { message: 'no' });
  t.is(await database.countBy(Account, { code: 'kept' }), 1);
  t.is(await database.countBy(Account, { code: 'undone' }), 0);
  t.is(await database.count(Event), 1);
});

test('concurrent statements in one transaction all belong to it', async (t) => {
  const database = await open(t);
  const failing = database.transaction(async (tx) => {
    await Promise.allSettled(['a', 'u', 'v', 'w'].map((code) => tx.insertReturningId(Account, { code })));
    t.is(await tx.count(Account), 5);
    throw new Error('no');
  });
  await t.throwsAsync(failing, { message: 'no' });
  t.is(await database.count(Account), 2);
});

test('a transaction sees its own rows, and its handle is unusable once it has ended', async (t) => {
  const database = await open(t);
  const kept = await database.transaction(async (tx) => {
    const account_id = await tx.insertReturningId(Account, { code: 'mine' });
    t.is((await tx.findOneBy(Account, { account_id }))?.code, 'mine');
    return tx;
  });
  await t.throwsAsync(kept.insertReturningId(Account, { code: 'late' }), { message: /has ended/ });
  t.throws(() => kept.append(Account, { code: 'late' }), { message: /has ended/ });
  t.is(await database.count(Account), 3);
});

sqliteTest('a query outside the handle of an open transaction gives up instead of hanging', async (t) => {
  const database = await open(t, { deadlineMs: 200 });
  const stuck = database.transaction(async (tx) => {
    await tx.insert(Account, { code: 'x' });
    await database.count(Account);
  });
  await t.throwsAsync(stuck, { message: 'Service temporarily unavailable' });
  t.is(await database.countBy(Account, { code: 'x' }), 0);
});

sqliteTest('a transaction whose turn does not come answers unavailable, and the next one works', async (t) => {
  const database = await open(t, { deadlineMs: 200 });
  const held = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const holding = database.transaction(async (tx) => {
    await tx.insert(Account, { code: 'first' });
    started.resolve();
    await held.promise;
  });
  await started.promise;
  const waiting = database.transaction((tx) => tx.insertReturningId(Account, { code: 'second' }));
  await t.throwsAsync(waiting, { message: 'Service temporarily unavailable' });
  held.resolve();
  await holding;
  await database.transaction((tx) => tx.insertReturningId(Account, { code: 'third' }));
  t.deepEqual(
    (await database.findBy(Account, { code: In(['first', 'second', 'third']) })).map((each) => each.code).toSorted(),
    ['first', 'third'],
  );
});
