import { plus } from '@keelson/core';
import { testClock } from '@keelson/testing';
import test from 'ava';
import { cache } from '../../packages/database/cache.ts';
import type { Db } from '../../packages/database/db.ts';
import { key, table } from '../../packages/database/schema/table.ts';
import { openTestDatabase } from '../../packages/testing/database.ts';

const Colour = table('colour', { name: key(20).primary(), value: key(20) });

async function counting(t: { teardown(work: () => unknown): void }) {
  const database = await openTestDatabase([Colour]);
  t.teardown(() => database.close());
  await database.insert(Colour, { name: 'sky', value: 'blue' });
  const reads: string[] = [];
  const read = async (db: Db, name: string) => {
    reads.push(name);
    return (await db.findOneBy(Colour, { name }))?.value;
  };
  const clock = testClock();
  const kept = cache({ clock }, read, { seconds: 2 });
  return { database, kept, reads, clock };
}

test('a value is read once, and again after the cache is cleared', async (t) => {
  const { database, kept, reads } = await counting(t);
  t.deepEqual(await Promise.all([kept.get(database, 'sky'), kept.get(database, 'sky')]), ['blue', 'blue']);
  t.is(reads.length, 1);
  kept.clear();
  await kept.get(database, 'sky');
  t.is(reads.length, 2);
});

test('a value is read again once it is older than its seconds', async (t) => {
  const { database, kept, reads, clock } = await counting(t);
  await kept.get(database, 'sky');
  clock.set(plus(clock.now(), { seconds: 2 }));
  await kept.get(database, 'sky');
  t.is(reads.length, 1);
  clock.set(plus(clock.now(), { seconds: 0.5 }));
  await kept.get(database, 'sky');
  t.is(reads.length, 2);
});

test('absence is cached, a failed read is not', async (t) => {
  const { database, kept, reads } = await counting(t);
  t.is(await kept.get(database, 'sea'), undefined);
  t.is(await kept.get(database, 'sea'), undefined);
  t.is(reads.length, 1);
  let fails = true;
  const failing = cache({ clock: testClock() }, async () => {
    if (fails) throw new Error('no');
    return 1;
  });
  await t.throwsAsync(failing.get(database, 'x'), { message: 'no' });
  fails = false;
  t.is(await failing.get(database, 'x'), 1);
});

test('a transaction sees its own change, and others only after the commit', async (t) => {
  const { database, kept } = await counting(t);
  const rollback = new Error('rolled back');
  const change = database.transaction(async (tx) => {
    kept.changing(tx);
    await tx.update(Colour, { name: 'sky' }, { value: 'grey' });
    t.is(await kept.get(tx, 'sky'), 'grey');
    throw rollback;
  });
  await t.throwsAsync(change, { is: rollback });
  t.is(await kept.get(database, 'sky'), 'blue');
  await database.transaction(async (tx) => {
    kept.changing(tx);
    await tx.update(Colour, { name: 'sky' }, { value: 'red' });
  });
  t.is(await kept.get(database, 'sky'), 'red');
});

test('values read in a transaction are cached for others', async (t) => {
  const { database, kept, reads } = await counting(t);
  await database.transaction(async (tx) => void (await kept.get(tx, 'sky')));
  t.is(await kept.get(database, 'sky'), 'blue');
  t.is(reads.length, 1);
});

test('a read in progress when the cache is cleared is not cached', async (t) => {
  const { database, kept, reads } = await counting(t);
  const first = kept.get(database, 'sky');
  kept.clear();
  await first;
  await kept.get(database, 'sky');
  t.is(reads.length, 2);
});
