// TypeORM repositories read and write the same rows as our API, on the same connection, with the same commit and
// rollback.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import {
  Between,
  Brackets,
  In,
  IsNull,
  LessThan,
  Like,
  MoreThan,
  Not,
  Raw,
  Table as Made,
  type MigrationInterface,
  type QueryRunner,
} from 'typeorm';
import { z } from 'zod';
import { setting, StoredSetting } from '../../core/plugin/setting/settings.ts';
import { emptyDatabase } from '../../core/process/database/wipe.ts';
import { DuplicateKey, type Transaction } from '../../packages/database/db.ts';
import { fromTypeorm, migrate, migration, schemaDrift } from '../../packages/database/migration/migrate.ts';
import { toDatabase } from '../../packages/kit/time.ts';
import { openTestDatabase, type TestDatabaseOptions } from '../../packages/testing/database.ts';
import { Box, entities, Label, Note, Shelf } from './_shelves.ts';

const serverTest = process.env['TEST_DATABASE_URL'] === undefined ? test.skip : test;

const at = '2026-03-29T02:30:00.123Z';
const row = { label: 'a', packed_at: at };

async function open(t: ExecutionContext, options: TestDatabaseOptions = {}) {
  const database = await openTestDatabase(entities, undefined, options);
  t.teardown(() => database.close());
  const shelf_id = await database.insertReturningId(Shelf, { code: 's' });
  return { database, shelf_id };
}

const boxes = (tx: Pick<Transaction, 'manager'>) => tx.manager().getRepository(Box);

test('the declared entities match the database', async (t) => {
  t.deepEqual(await schemaDrift((await open(t)).database), []);
});

test('rows saved by a repository are readable by our code and vice versa', async (t) => {
  const { database, shelf_id } = await open(t);
  const full = {
    shelf_id,
    spare_id: shelf_id,
    label: 'é 🎈',
    notes: 'long',
    state: 'shut' as const,
    size: 2 ** 40,
    count: -1,
    heavy: false,
    tags: ['x', 'y'],
    packed_at: at,
    sent_at: '2026-10-25T01:30:00.000Z',
    due_on: '2026-03-29',
  };
  const least = { shelf_id, ...row };
  const filled = { notes: 'none', state: 'open', size: 0, count: 7, heavy: true, tags: [], spare_id: null };
  const [saved, few] = await database.transaction(async (tx) => [
    await boxes(tx).save({ ...full }),
    await boxes(tx).save({ ...least }),
  ]);
  t.is(await database.insertReturningId(Box, full), 3);
  const expected = (box_id: number) => ({ box_id, ...full });
  t.deepEqual(await database.findBy(Box, { label: full.label }), [expected(1), expected(3)]);
  t.deepEqual({ ...(await boxes(database).findOneBy({ box_id: 3 })) }, expected(3));
  t.deepEqual({ ...saved }, expected(1));
  t.like(few, { box_id: 2, ...least, spare_id: null, size: 0, heavy: true, state: 'open' });
  const completed = { box_id: 2, ...least, ...filled, sent_at: null, due_on: null };
  t.deepEqual(await database.findOneBy(Box, { box_id: 2 }), completed as never);
  t.deepEqual({ ...(await boxes(database).findOneByOrFail({ box_id: 2 })) }, completed as never);
});

test('a partial save changes only the given fields that differ', async (t) => {
  const { database, shelf_id } = await open(t);
  const box_id = await database.insertReturningId(Box, { shelf_id, ...row, tags: ['x'], notes: 'kept', heavy: false });
  await database.transaction((tx) => boxes(tx).save({ box_id, label: 'b' }));
  t.like(await database.findOneBy(Box, { box_id }), {
    label: 'b',
    notes: 'kept',
    heavy: false,
    packed_at: at,
    tags: ['x'],
  });
  const writes = await database.transaction(async (tx) => {
    const box = await boxes(tx).findOneByOrFail({ box_id });
    await boxes(tx).save(box);
    return tx.writes();
  });
  t.is(writes, 0);
});

test('timestamps are the same in a process in another time zone', async (t) => {
  const env = { ...process.env, TZ: 'Europe/Berlin' };
  const { stdout } = await promisify(execFile)(process.execPath, ['test/core/_zone.ts'], { env });
  const written_at = '2026-03-29T02:30:00.123Z';
  t.deepEqual(JSON.parse(stdout), {
    local: '2026-07-01T10:00:00.000Z',
    created: true,
    saved: '2026-03-29 02:30:00.123',
    changed: '2026-03-29 03:30:00.123',
    found: ['2026-03-29T03:30:00.123Z', '2026-03-29T03:30:00.123Z'],
    note: [written_at, '2026-03-29 02:30:00.123', '2026-03-29 03:30:00.123'],
  });
});

test('conditions accept the values that rows have', async (t) => {
  const { database, shelf_id } = await open(t);
  const later = '2026-03-29T03:30:00.123Z';
  await database.insert(Box, [
    { shelf_id, ...row, heavy: false, due_on: '2026-01-01' },
    { shelf_id, label: 'b', packed_at: later, tags: ['x'], sent_at: later },
  ]);
  const found = async (where: Parameters<ReturnType<typeof boxes>['findBy']>[0]) =>
    (await boxes(database).find({ where, order: { box_id: 'ASC' } })).map((each) => each.label).join();
  t.is(await found({ packed_at: at }), 'a');
  t.is(await found({ packed_at: MoreThan(at) }), 'b');
  t.is(await found({ packed_at: Between(at, later) }), 'a,b');
  t.is(await found({ packed_at: In([later]) }), 'b');
  t.is(await found({ packed_at: Not(LessThan(later)) }), 'b');
  t.is(await found({ packed_at: Raw((column) => `${column} < :later`, { later: new Date(later) }) }), 'a');
  t.is(await found({ heavy: true }), 'b');
  t.is(await found({ heavy: In([false]) }), 'a');
  t.is(await found({ sent_at: IsNull() }), 'a');
  t.is(await found({ sent_at: IsNull() }), 'a');
  t.is(await found({ tags: ['x'] as never }), 'b');
  t.is(await found({ due_on: '2026-01-01' }), 'a');
  t.is(await found([{ label: Like('b%') }, { count: 8 }]), 'b');
  t.is(await found({ shelf: { code: 's' }, label: 'a' }), 'a');
  t.is(await boxes(database).countBy({ heavy: true }), 1);
  await t.throwsAsync(found({ label: 0 as never }), { message: 'acme_box.label cannot store this value' });
  await t.throwsAsync(found({ packed_at: new Date(at) as never }), { instanceOf: TypeError });
  await t.throwsAsync(found({ label: undefined as never }), { message: /Undefined value encountered/ });
  await t.throwsAsync(found({ unknown: 1 } as never), { message: /Property "unknown" was not found/ });
});

test('insert, update, upsert, delete and remove work as named', async (t) => {
  const { database, shelf_id } = await open(t);
  await database.transaction(async (tx) => {
    const shelves = tx.manager().getRepository(Shelf);
    const { identifiers } = await boxes(tx).insert([
      { shelf_id, ...row },
      { shelf_id, ...row, label: 'b', heavy: false },
    ]);
    t.deepEqual(identifiers, [{ box_id: 1 }, { box_id: 2 }]);
    t.is(
      (await boxes(tx).update({ packed_at: at, heavy: false }, { sent_at: at, tags: ['x'], heavy: true })).affected,
      1,
    );
    await boxes(tx).increment({ box_id: 2 }, 'count', 3);
    t.like(await tx.findOneBy(Box, { box_id: 2 }), { sent_at: at, tags: ['x'], heavy: true, count: 10 });
    await shelves.upsert([{ code: 's' }, { code: 'new' }], ['code']);
    t.is(await shelves.count(), 2);
    t.is((await boxes(tx).delete({ sent_at: at })).affected, 1);
    await boxes(tx).remove(await boxes(tx).findBy({ box_id: 1 }));
    t.is(await tx.count(Box), 0);
    t.is(tx.writes(), 6);
  });
});

test('invalid column values are rejected before they reach the database', async (t) => {
  const { database, shelf_id } = await open(t);
  const save = (more: object) => database.transaction((tx) => boxes(tx).save({ shelf_id, ...row, ...more }));
  for (const more of [{ label: 'x'.repeat(51) }, { count: 2 ** 31 }, { heavy: 1 }, { packed_at: '2026-01-01' }]) {
    await t.throwsAsync(save(more), { message: /^acme_box\.\w+ cannot store this value$/ });
  }
  t.is(await database.count(Box), 0);
});

test('a query builder reads rows and accepts timestamps as Dates', async (t) => {
  const { database, shelf_id } = await open(t);
  await database.insert(Box, [
    { shelf_id, ...row },
    { shelf_id, label: 'b', packed_at: '2026-03-29T03:30:00.123Z' },
  ]);
  const select = () => boxes(database).createQueryBuilder('box').orderBy('box.box_id');
  const later = await select()
    .where('box.packed_at > :at', { at: new Date(at) })
    .getMany();
  t.deepEqual(
    later.map((each) => each.label),
    ['b'],
  );
  const text = await select()
    .where('box.packed_at <= :at', { at: toDatabase(at) })
    .getMany();
  t.deepEqual(
    text.map((each) => [each.label, each.packed_at]),
    [['a', at]],
  );
  const nested = select().where(
    new Brackets((or) => or.where('box.heavy = :no', { no: false }).orWhere({ label: 'b' })),
  );
  t.deepEqual(await nested.getManyAndCount(), [later, 1]);
  const paged = await select().leftJoinAndSelect('box.shelf', 'shelf').skip(1).take(1).getMany();
  t.deepEqual(
    paged.map((each) => [each.label, each.shelf?.code]),
    [['b', 's']],
  );
  const raw = await select().select('COUNT(*)', 'n').groupBy('box.heavy').orderBy('n').getRawOne<{ n: number }>();
  t.is(raw?.n, 2);
  await database.transaction(async (tx) => {
    const set = boxes(tx)
      .createQueryBuilder()
      .update()
      .set({ sent_at: at, heavy: false })
      .where('label = :label', { label: 'a' });
    t.is((await set.execute()).affected, 1);
  });
  t.like(await database.findOneBy(Box, { label: 'a' }), { sent_at: at, heavy: false });
});

test('relations are loaded on request and saved by their target', async (t) => {
  const { database, shelf_id } = await open(t);
  const other = await database.insertReturningId(Shelf, { code: 'other' });
  await database.transaction(async (tx) => {
    const shelf = await tx.manager().getRepository(Shelf).findOneByOrFail({ shelf_id });
    await boxes(tx).save({ ...row, shelf, spare: null });
    await boxes(tx).save({ ...row, shelf_id, spare_id: other, label: 'b' });
    await boxes(tx).save({ box_id: 2, shelf_id: other });
  });
  const found = await boxes(database).find({ relations: { shelf: true, spare: true }, order: { box_id: 'ASC' } });
  t.deepEqual(
    found.map((each) => [each.label, each.shelf_id, each.shelf?.code, each.spare?.code]),
    [
      ['a', shelf_id, 's', undefined],
      ['b', other, 'other', 'other'],
    ],
  );
  const shelves = await database
    .manager()
    .getRepository(Shelf)
    .find({ relations: { boxes: true }, order: { shelf_id: 'ASC' } });
  t.deepEqual(
    shelves.map((each) => [each.code, each.boxes?.map(({ label }) => label)]),
    [
      ['s', ['a']],
      ['other', ['b']],
    ],
  );
  t.is((await boxes(database).findOneBy({ box_id: 1 }))?.shelf, undefined);
});

test('a repository sees its own transaction’s rows and ends with it', async (t) => {
  const { database, shelf_id } = await open(t);
  await database.transaction(async (tx) => {
    tx.deferInsert(Shelf, { shelf_id: 50, code: 'soon' });
    await boxes(tx).save({ ...row, shelf_id: 50 });
    await tx.insert(Box, { shelf_id, ...row, label: 'b' });
    t.is(await boxes(tx).count(), 2);
    t.is(tx.manager(), tx.manager());
    t.is(tx.writes(), 3);
  });
  t.is(await boxes(database).count(), 2);
  let late: Transaction | undefined;
  const failing = database.transaction(async (tx) => {
    late = tx;
    await boxes(tx).save({ ...row, shelf_id });
    throw new Error('no');
  });
  await t.throwsAsync(failing, { message: 'no' });
  t.is(await boxes(database).count(), 2);
  await t.throwsAsync(late ? boxes(late).count() : failing, { message: /The transaction has ended/ });
});

test('a nested transaction is a savepoint, repeatedly', async (t) => {
  const { database, shelf_id } = await open(t);
  await database.transaction(async (tx) => {
    for (let i = 0; i < 25; i++) {
      const nested = tx.manager().transaction(async (manager) => {
        await manager.getRepository(Box).save({ ...row, shelf_id, label: String(i) });
        if (i % 5 > 0) throw new Error('undone');
      });
      if (i % 5 > 0) await t.throwsAsync(nested, { message: 'undone' });
      else await nested;
    }
    await t.throwsAsync(tx.manager().query('COMMIT'), { message: /Use ctx\.transaction\(\) for transactions/ });
  });
  t.is(await database.count(Box), 5);
});

test('outside a transaction a manager is read-only and says where to write', async (t) => {
  const { database, shelf_id } = await open(t);
  const outside = { message: 'ctx.manager is read-only outside a transaction: write in ctx.transaction()' };
  const manager = database.manager();
  await t.throwsAsync(boxes(database).save({ ...row, shelf_id }), outside);
  await t.throwsAsync(boxes(database).insert({ ...row, shelf_id }), outside);
  await t.throwsAsync(boxes(database).update({ shelf_id }, { label: 'b' }), outside);
  await t.throwsAsync(boxes(database).createQueryBuilder().delete().where('box_id = 1').execute(), outside);
  await t.throwsAsync(
    manager.transaction(async () => {}),
    outside,
  );
  await t.throwsAsync(manager.query('DELETE FROM acme_box'), outside);
  await t.throwsAsync(manager.query('WITH gone AS (SELECT 1) DELETE FROM acme_box'), outside);
  t.is(await boxes(database).count(), 0);
  t.is(manager, database.manager());
  t.is(Number((await manager.query('WITH one AS (SELECT 1 AS n) SELECT n FROM one'))[0].n), 1);
});

test('a duplicate raises our error for any entity and keeps the transaction open', async (t) => {
  const { database } = await open(t);
  await database.transaction(async (tx) => {
    const double = tx.manager().getRepository(Shelf).save({ code: 's' });
    t.is((await t.throwsAsync(double, { instanceOf: DuplicateKey })).index, 'ux_acme_shelf_code');
    await tx.manager().getRepository(Label).insert({ word: 'x' });
    const again = tx.manager().getRepository(Label).insert({ word: 'x' });
    t.is((await t.throwsAsync(again, { instanceOf: DuplicateKey })).index, 'uq_acme_label_word');
  });
  t.is(await database.manager().getRepository(Label).count(), 1);
});

test('a plugin’s own entity schema works as in TypeORM', async (t) => {
  const { database } = await open(t);
  const written_at = new Date(at);
  await database.transaction(async (tx) => {
    const labels = await tx
      .manager()
      .getRepository(Label)
      .save([{ word: 'x' }, { word: 'y' }]);
    await tx
      .manager()
      .getRepository(Note)
      .save({ title: 'n', written_at, facts: { colour: 'red' }, labels });
  });
  const [note] = await database
    .manager()
    .getRepository(Note)
    .find({ where: { written_at }, relations: { labels: true } });
  t.deepEqual(note?.written_at, written_at);
  t.deepEqual(note?.facts, { colour: 'red' });
  t.deepEqual(note?.labels?.map((each) => each.word).toSorted(), ['x', 'y']);
  t.is(note?.version, 1);
  t.true(Math.abs((note?.created_at?.getTime() ?? 0) - Date.now()) < 60_000);
  await database.transaction(async (tx) => {
    const again = await tx.manager().getRepository(Note).findOneByOrFail({ title: 'n' });
    t.is(
      (
        await tx
          .manager()
          .getRepository(Note)
          .save({ ...again, title: 'm' })
      ).version,
      2,
    );
  });
  const stored = await database.manager().query('SELECT written_at FROM acme_note');
  t.is(stored[0].written_at, toDatabase(at));
});

serverTest('a lock that is held past the deadline is unavailable, and what comes after it works', async (t) => {
  const { database, shelf_id } = await open(t, { deadlineMs: 2500 });
  const box_id = await database.insertReturningId(Box, { shelf_id, ...row });
  const { promise: done, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: holds } = Promise.withResolvers<void>();
  const holding = database.transaction(async (tx) => {
    await boxes(tx).findOne({ where: { box_id }, lock: { mode: 'pessimistic_write' } });
    holds();
    await done;
  });
  await held;
  const waiting = database.transaction((tx) => boxes(tx).update({ box_id }, { label: 'b' }));
  await t.throwsAsync(waiting, { message: /unavailable/i });
  release();
  await holding;
  await database.transaction((tx) => boxes(tx).update({ box_id }, { label: 'c' }));
  t.is((await boxes(database).findOneByOrFail({ box_id })).label, 'c');
});

test('no statement waits longer than its deadline', async (t) => {
  const { database, shelf_id } = await open(t, { deadlineMs: 1500 });
  if (database.dialect === 'mysql') {
    await t.throwsAsync(database.manager().query('SELECT SLEEP(5)'), { message: /unavailable/i });
  } else {
    const held = database.transaction(async () => {
      await t.throwsAsync(boxes(database).count(), { message: /unavailable/i });
    });
    await held;
  }
  await database.transaction((tx) => boxes(tx).save({ ...row, shelf_id }));
  t.is(await boxes(database).count(), 1);
});

class AcmeShelves1790000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasTable('acme_label')) return;
    await runner.createTable(
      new Made({
        name: 'acme_label',
        columns: [
          { name: 'label_id', type: 'integer', isPrimary: true, isGenerated: true, generationStrategy: 'increment' },
          { name: 'word', type: 'varchar', length: '40' },
        ],
        uniques: [{ name: 'uq_acme_label_word', columnNames: ['word'] }],
      }),
    );
    await runner.manager.getRepository(Label).insert({ word: 'first' });
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('acme_label');
  }
}

test('a TypeORM migration class runs like ours, in order and once', async (t) => {
  const after = migration('1790000000001-acme-more', async (m) => {
    await m.statement({
      sqlite: "INSERT INTO acme_label (word) VALUES ('second')",
      mysql: "INSERT INTO acme_label (word) VALUES ('second')",
    });
  });
  const all = [after, fromTypeorm(AcmeShelves1790000000000)];
  const database = await openTestDatabase([Label], all);
  t.teardown(() => database.close());
  t.deepEqual(await migrate(database, all), []);
  const words = await database
    .manager()
    .getRepository(Label)
    .find({ order: { label_id: 'ASC' } });
  t.deepEqual(
    words.map((each) => each.word),
    ['first', 'second'],
  );
  t.deepEqual(await schemaDrift(database), []);
  const names = await database.manager().query('SELECT name FROM migration ORDER BY name');
  t.deepEqual(
    names.map((each: { name: string }) => each.name),
    ['1790000000000-acme-shelves', '1790000000001-acme-more'],
  );
  class Nameless implements MigrationInterface {
    async up(): Promise<void> {}
    async down(): Promise<void> {}
  }
  t.throws(() => fromTypeorm(Nameless), { message: /named <13 digits>-<words>/ });
});

test('drift reports entity schema items missing from the database', async (t) => {
  const database = await openTestDatabase(entities, []);
  t.teardown(() => database.close());
  const missing = (await schemaDrift(database)).join('\n');
  for (const name of ['acme_box', 'acme_note', 'acme_label', 'acme_note_label'])
    t.regex(missing, new RegExp(`CREATE TABLE .${name}.`));
});

serverTest('a database that is emptied keeps no table of an entity schema', async (t) => {
  const database = await openTestDatabase([...entities, StoredSetting]);
  t.teardown(() => database.close());
  const mark = setting('acme.mark', z.boolean(), false);
  await database.insert(StoredSetting, { name: mark.name, value: true, updated_at: at });
  const url = new URL(String(database.source.options.database), process.env['TEST_DATABASE_URL']);
  await emptyDatabase(url.href, mark);
  t.deepEqual(
    await database.manager().query('SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE()'),
    [],
  );
});
