// The calls of `ctx.db` behave like TypeORM's: each is made through both, on two databases with the same rows, and
// returns the same.
import test, { type ExecutionContext } from 'ava';
import {
  Between,
  Equal,
  ILike,
  In,
  IsNull,
  LessThan,
  LessThanOrEqual,
  Like,
  MoreThan,
  MoreThanOrEqual,
  Not,
  Or,
} from 'typeorm';
import { DuplicateKey, type Db, type FindOptions, type Where } from '../../packages/database/db.ts';
import { openTestDatabase } from '../../packages/testing/database.ts';
import { Box, entities, Shelf } from './_shelves.ts';

const day = (n: number) => `2026-03-0${n}T10:00:00.000Z`;

async function open(t: ExecutionContext) {
  const database = await openTestDatabase(entities);
  t.teardown(() => database.close());
  await database.insert(Shelf, [{ code: 'first' }, { code: 'second' }]);
  await database.insert(Box, [
    { shelf_id: 1, label: 'a', packed_at: day(1), size: 5, tags: ['x'], due_on: '2026-04-01' },
    { shelf_id: 1, label: 'b', packed_at: day(2), size: 7, heavy: false },
    { shelf_id: 2, label: 'B', packed_at: day(3), size: 7, state: 'shut', sent_at: day(4) },
    { shelf_id: 2, label: 'c', packed_at: day(4), size: 9, spare_id: 1 },
  ]);
  return database;
}

// TypeORM modifies operators when it converts them, so each call gets new ones.
const conditions: Readonly<Record<string, () => Where<typeof Box> | Where<typeof Box>[]>> = {
  'a value': () => ({ label: 'b' }),
  'two values': () => ({ label: 'b', size: 7 }),
  'a flag': () => ({ heavy: false }),
  'a day': () => ({ due_on: '2026-04-01' }),
  'a time': () => ({ packed_at: day(2) }),
  In: () => ({ label: In(['a', 'c', 'none']) }),
  'In of nothing': () => ({ label: In([]) }),
  IsNull: () => ({ spare_id: IsNull() }),
  'Not(IsNull)': () => ({ sent_at: Not(IsNull()) }),
  Not: () => ({ label: Not('a') }),
  'Not of a column that may be null': () => ({ spare_id: Not(1) }),
  'Not(In)': () => ({ label: Not(In(['a', 'c'])) }),
  Equal: () => ({ size: Equal(7) }),
  LessThan: () => ({ size: LessThan(7) }),
  LessThanOrEqual: () => ({ packed_at: LessThanOrEqual(day(2)) }),
  MoreThan: () => ({ packed_at: MoreThan(day(2)) }),
  MoreThanOrEqual: () => ({ size: MoreThanOrEqual(7) }),
  Between: () => ({ packed_at: Between(day(2), day(3)) }),
  'a list of conditions': () => [{ label: 'a' }, { size: 7, state: 'shut' }],
  'a list with an empty condition': () => [{ label: 'a' }, {}],
  'an empty condition': () => ({}),
  'a text longer than its column': () => ({ label: 'x'.repeat(60) }),
  Like: () => ({ label: Like('b%') }),
  ILike: () => ({ label: ILike('b%') }),
  Or: () => ({ size: Or(LessThan(6), MoreThan(8)) }),
  'Not(LessThan)': () => ({ size: Not(LessThan(7)) }),
};

for (const [name, where] of Object.entries(conditions)) {
  test(`conditions match like TypeORM’s: ${name}`, async (t) => {
    const database = await open(t);
    const manager = database.manager();
    const order = { box_id: 'ASC' } as const;
    const theirs = await manager.find(Box, { where: where() as never, order });
    t.deepEqual(await database.find(Box, { where: where(), order }), theirs as never);
    const byId = (rows: readonly { box_id: number }[]) => rows.toSorted((a, b) => a.box_id - b.box_id);
    t.deepEqual(byId(await database.findBy(Box, where())), theirs as never);
    t.is(await database.countBy(Box, where()), theirs.length);
    t.is(await database.count(Box, { where: where() }), await manager.countBy(Box, where() as never));
    t.is(await database.existsBy(Box, where()), await manager.existsBy(Box, where() as never));
    const first = await database.findOne(Box, { where: where(), order });
    t.deepEqual(first, ((await manager.findOne(Box, { where: where() as never, order })) ?? null) as never);
    t.is((await database.findOneBy(Box, where())) === null, theirs.length === 0);
  });
}

const options: Readonly<Record<string, () => FindOptions<typeof Box> | undefined>> = {
  none: () => undefined,
  'order by two columns': () => ({ order: { size: 'DESC', box_id: 'ASC' } }),
  take: () => ({ order: { box_id: 'ASC' }, take: 2 }),
  'take and skip': () => ({ order: { box_id: 'DESC' }, take: 2, skip: 1 }),
  'no row taken': () => ({ where: { label: 'none' }, take: 1 }),
};

for (const [name, given] of Object.entries(options)) {
  test(`options behave like TypeORM’s: ${name}`, async (t) => {
    const database = await open(t);
    const theirs = await database.manager().find(Box, given() as never);
    t.deepEqual(await database.find(Box, given()), theirs as never);
  });
}

test('relations and query builders are TypeORM’s own, in the same transaction', async (t) => {
  const database = await open(t);
  await database.transaction(async (tx) => {
    await tx.insert(Box, { shelf_id: 2, label: 'new', packed_at: day(5) });
    const found = await tx.findOne(Box, { where: { label: 'new' }, relations: { shelf: true } });
    t.is(found?.shelf?.code, 'second');
    const many = await tx.find(Box, { where: { shelf_id: 2 }, relations: { shelf: true }, order: { box_id: 'ASC' } });
    t.deepEqual(
      many.map(({ label, shelf }) => [label, shelf?.code]),
      [
        ['B', 'second'],
        ['c', 'second'],
        ['new', 'second'],
      ],
    );
    const built = tx.createQueryBuilder(Box, 'box').leftJoinAndSelect('box.shelf', 'shelf');
    const row = await built.where('box.label = :label', { label: 'new' }).getOne();
    t.is(row?.shelf?.code, 'second');
    const locked = { where: { label: Like('new') }, lock: { mode: 'pessimistic_write' } } as const;
    t.is((await tx.find(Box, locked)).length, 1);
  });
});

const fresh = { shelf_id: 1, label: 'n', packed_at: day(6) };

/** The calls that both support, with types that suit both. */
interface Writer {
  insert(table: typeof Box, row: object): Promise<{ identifiers: object[] }>;
  upsert(table: typeof Box | typeof Shelf, rows: object | object[], paths: string[]): Promise<object>;
  update(table: typeof Box, where: object, set: object): Promise<{ affected?: number | null }>;
  delete(table: typeof Box, where: object): Promise<{ affected?: number | null }>;
}

// The parts of the result to compare; `raw` is the driver's.
const writes: Readonly<Record<string, (db: Writer) => Promise<unknown>>> = {
  'insert of a row': async (db) => (await db.insert(Box, { ...fresh })).identifiers,
  'update by value': async (db) => (await db.update(Box, { label: 'a' }, { notes: 'changed' })).affected,
  'update that changes nothing': async (db) => (await db.update(Box, { label: 'a' }, { size: 5 })).affected,
  'update by operators': async (db) =>
    (await db.update(Box, { size: MoreThan(5), sent_at: IsNull() }, { count: 1 })).affected,
  'update by a list of conditions': async (db) =>
    (await db.update(Box, [{ label: 'a' }, { size: MoreThan(8) }], { count: 1 })).affected,
  'update to null': async (db) => (await db.update(Box, { label: 'c' }, { spare_id: null })).affected,
  'update of nothing': async (db) => (await db.update(Box, { label: 'none' }, { count: 1 })).affected,
  'delete by value': async (db) => (await db.delete(Box, { label: 'b' })).affected,
  'delete by operator': async (db) => (await db.delete(Box, { packed_at: LessThan(day(3)) })).affected,
  'upsert of a new row': async (db) => void (await db.upsert(Shelf, { code: 'third' }, ['code'])),
  'upsert of several rows': async (db) =>
    void (await db.upsert(
      Box,
      [
        { box_id: 2, ...fresh, label: 'up' },
        { box_id: 90, ...fresh, size: 7 },
      ],
      ['box_id'],
    )),
  'upsert of a known row': async (db) => void (await db.upsert(Box, { box_id: 2, ...fresh, label: 'up' }, ['box_id'])),
};

for (const [name, write] of Object.entries(writes)) {
  test(`writes behave like TypeORM’s: ${name}`, async (t) => {
    const [one, other] = await Promise.all([open(t), open(t)]);
    const ours = await one.transaction((tx) => write(tx as Writer));
    const theirs = await other.transaction((tx) => write(tx.manager() as Writer));
    t.deepEqual(ours, theirs);
    const order = { box_id: 'ASC' } as const;
    t.deepEqual(await one.find(Box, { order }), await other.find(Box, { order }));
    const codes = async (db: Db) => (await db.find(Shelf, { order: { code: 'ASC' } })).map((each) => each.code);
    t.deepEqual(await codes(one), await codes(other));
  });
}

test('several rows are inserted at once; a single insert returns its id', async (t) => {
  const database = await open(t);
  t.deepEqual((await database.insert(Box, [fresh, fresh])).identifiers, []);
  t.is(await database.insertReturningId(Box, fresh), 7);
  t.deepEqual((await database.insert(Box, fresh)).identifiers, [{ box_id: 8 }]);
  await t.throwsAsync(database.insert(Shelf, { code: 'first' }), { instanceOf: DuplicateKey });
  await t.throwsAsync(database.manager().insert(Shelf, { code: 'first' }), { message: /read-only/ });
});

test('conditions TypeORM rejects are rejected: null, undefined, unknown columns', async (t) => {
  const database = await open(t);
  for (const wrong of [{ spare_id: null }, { spare_id: undefined }, { nobody: 1 }]) {
    await t.throwsAsync(database.findBy(Box, wrong as never));
    await t.throwsAsync(database.manager().findBy(Box, wrong as never));
  }
  // A condition outside `where` would match every row.
  const beside = { label: 'a' } as never;
  for (const call of [database.find(Box, beside), database.findOne(Box, beside), database.count(Box, beside)])
    await t.throwsAsync(call, { message: /conditions belong in where/ });
  await t.throwsAsync(database.find(Box, { where: [] }), { message: /no conditions/ });
  await t.throwsAsync(database.update(Box, { label: Like('a') }, { count: 1 }), { instanceOf: TypeError });
  await t.throwsAsync(database.delete(Box, {}), { instanceOf: TypeError });
});
