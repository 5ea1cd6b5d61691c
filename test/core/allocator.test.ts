import test from 'ava';
import { openDatabase } from '../../packages/database/database.ts';
import { sql } from '../../packages/database/statement/sql.ts';
import { createAllocator, Sequence } from '../../packages/list/allocator.ts';
import { openTestDatabase } from '../../packages/testing/database.ts';

const server = process.env['TEST_DATABASE_URL'];

async function secondProcess(first: Awaited<ReturnType<typeof openTestDatabase>>) {
  const [found] = await first.query<{ name: string }>(sql`SELECT DATABASE() AS name`);
  const url = new URL(found?.name ?? '', server).href;
  return openDatabase({ url, file: '', tables: [Sequence], log: { warn: () => {} }, pool: 1, deadlineMs: 60_000 });
}

test('a sequence starts at the given number and increments by one', async (t) => {
  const database = await openTestDatabase([Sequence]);
  t.teardown(() => database.close());
  const allocator = createAllocator(database);
  t.is(await allocator.take(database, 'ticket', 1001), 1001);
  t.is(await allocator.take(database, 'ticket', 1001), 1002);
  t.is(await allocator.take(database, 'invoice'), 1);
});

test('64 concurrent callers get 64 numbers in request order', async (t) => {
  const database = await openTestDatabase([Sequence]);
  t.teardown(() => database.close());
  const allocator = createAllocator(database);
  let statements = 0;
  database.onStatement = () => statements++;
  const taken = await Promise.all(Array.from({ length: 64 }, () => allocator.take(database, 'ticket', 1001)));
  t.deepEqual(
    taken,
    Array.from({ length: 64 }, (_, i) => 1001 + i),
  );
  if (server) t.true(statements <= 8, `${statements} statements for 64 numbers`);
});

test('sequential calls leave no gaps; under load one update serves several callers', async (t) => {
  const database = await openTestDatabase([Sequence]);
  t.teardown(() => database.close());
  const allocator = createAllocator(database);
  for (let i = 1; i <= 20; i++) t.is(await allocator.take(database, 'calm'), i);
  let statements = 0;
  database.onStatement = () => statements++;
  const taken: number[] = [];
  const writer = async () => {
    for (let i = 0; i < 50; i++) taken.push(await allocator.take(database, 'rush'));
  };
  await Promise.all(Array.from({ length: 16 }, writer));
  t.is(new Set(taken).size, 800);
  t.deepEqual(
    taken,
    taken.toSorted((a, b) => a - b),
  );
  if (server) t.true(statements <= 200, `${statements} statements for 800 numbers`);
});

test('a failing update fails only its own waiters', async (t) => {
  const database = await openTestDatabase([Sequence]);
  t.teardown(() => database.close());
  const allocator = createAllocator(database);
  await database.run(sql`ALTER TABLE sequence RENAME TO hidden`);
  await t.throwsAsync(allocator.take(database, 'ticket'));
  await database.run(sql`ALTER TABLE hidden RENAME TO sequence`);
  t.is(await allocator.take(database, 'ticket'), 1);
});

test('a number allocated in a transaction is never issued twice', async (t) => {
  const database = await openTestDatabase([Sequence]);
  t.teardown(() => database.close());
  const own = server ? await secondProcess(database) : database;
  if (own !== database) t.teardown(() => own.close());
  const allocator = createAllocator(own);
  const taken = await Promise.all(
    Array.from({ length: 16 }, () => database.transaction((tx) => allocator.take(tx, 'ticket'))),
  );
  t.is(new Set(taken).size, 16);
});

(server ? test : test.skip)(
  'two processes with 64 writers share a sequence without a repeat, rising in each',
  async (t) => {
    const database = await openTestDatabase([Sequence]);
    t.teardown(() => database.close());
    const handles = [await secondProcess(database), await secondProcess(database)];
    const taken: number[][] = [[], []];
    await Promise.all(
      handles.flatMap((handle, process) => {
        const allocator = createAllocator(handle);
        return Array.from({ length: 32 }, async () => {
          for (let i = 0; i < 10; i++) {
            const number = await allocator.take(handle, 'ticket', 1001);
            taken[process]?.push(number);
          }
        });
      }),
    );
    const all = taken.flat();
    t.is(all.length, 640);
    t.is(new Set(all).size, 640);
    for (const each of taken)
      t.deepEqual(
        each,
        each.toSorted((a, b) => a - b),
      );
    for (const handle of handles) await handle.close();
  },
);
