// The record API: a noun's declaration determines its lists, responses and writes.
import {
  admin,
  anyCredential,
  by,
  change,
  changeAll,
  choice,
  conflict,
  counterTable,
  create,
  created,
  defineNames,
  dependent,
  event,
  eventData,
  eventDataFor,
  findOr404,
  flag,
  findVisible,
  helpdesk,
  id,
  input,
  int,
  is,
  item,
  json,
  invalidateOnChange,
  key,
  list,
  lock,
  lockAll,
  normalised,
  noun,
  pageOf,
  param,
  Problem,
  record,
  ref,
  remove,
  show,
  showOne,
  signedIn,
  sql,
  statistic,
  subscriber,
  table,
  text,
  view,
  when,
  z,
  type Context,
  type EmployeeActor,
  type Row,
} from '@keelson/core';
import { readCount, updateCounters } from '@keelson/core/list';
import { theSystem } from '@keelson/core/log';
import type { Plugin } from '@keelson/core/plugin';
import { announceNew, answers, countOf, eventDataWith, newRow, showWith } from '@keelson/core/record';
import { contextOf } from '@keelson/core/system';
import { createApiKey } from '@keelson/modules/accounts';
import { Company } from '@keelson/modules/directory';
import { startApp, type TestApp } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { seedCompany } from '../accounts-seed.ts';

const Shelf = table('attic_shelf', { shelf_id: id(), label: text(40), wide: flag().default(false) });
const Shelves = record(Shelf, {
  title: 'Shelf',
  logTitle: 'Attic shelf',
  filters: (its) => ({ wide: its.is('wide') }),
  call: ({ label }) => label,
  names: defineNames(Shelf, ['label'], ({ label }) => label),
  held: ({ label }, held) => `${label} still has ${held.join(' and ')}`,
});
const ShelfNames = defineNames(Shelf, ['label'], ({ label }) => label);

const Box = table(
  'attic_box',
  {
    box_id: id(),
    company_number: ref(Company),
    shelf_id: ref(Shelf).nullable(),
    label: text(40),
    label_key: key(40).nullable().unique().hidden(),
    code: text(40).default('none').hidden(),
    state: choice('open', 'closed').default('open'),
    weight: int().default(0),
    marks: json(z.array(z.string())).default([]),
    closed_at: when().nullable(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [['created_at'], ['state', 'created_at'], ['weight', 'created_at']],
);
type Box = Row<typeof Box>;
const BoxCount = counterTable('attic_count', { of: Box, dimensions: ['company_number', 'state'] });

const boxNoun = noun(Box, {
  title: 'Box',
  counters: [BoxCount],
  filters: (its) => ({
    state: its.is('state'),
    company_number: its.is('company_number'),
    at_least: its.by(param.int(), (_ctx, weight) => sql`attic_box.weight >= ${weight}`),
    created_after: its.since('created_at'),
    created_before: its.until('created_at'),
  }),
  sorts: { created_at: by('created_at'), weight: by('weight', 'created_at') },
});
const BoxView = view(boxNoun, {
  except: ['marks'],
  more: (its) => ({
    shelf: its.name(ShelfNames, 'shelf_id'),
    number: its.column('box_id'),
    heavy: its.from(z.boolean(), ['weight'], ({ weight }) => weight > 9),
  }),
});
const OwnBox = view(boxNoun, {
  only: ['box_id', 'label'],
  visible: ({ actor }: Context<EmployeeActor>) => [is('company_number', actor.company_number)],
});
const Packed = event('attic.packed', BoxView.shape);
const Moved = event('attic.moved', z.object({ box_id: z.int() }));
const Boxes = record(boxNoun, {
  type: 'box',
  call: ({ label }) => `"${label}"`,
  taken: ({ label }) => `A box "${label}" exists already`,
  derive: ({ label }) => ({ label_key: normalised(label) }),
  follow: (ctx, before, { state }) =>
    state && state !== before.state ? { closed_at: state === 'closed' ? ctx.now : null } : {},
  unchanged: ['state'],
  prepare(_ctx, after, before) {
    if (before && after.weight < before.weight) throw conflict('A box never gets lighter');
  },
  created: async (ctx, box) => ctx.emit(Packed, await eventData(ctx, BoxView, box)),
  changed(ctx, changes) {
    for (const { after, changed } of changes) ctx.emit(Moved, { box_id: after.box_id }, { changed });
  },
});

/** A door with a code: a change invalidates earlier codes. */
const Door = table('attic_door', {
  door_id: id(),
  label: text(40),
  code: text(40).nullable().hidden(),
  changes_of_code: int().default(0).hidden(),
  deleted_at: when().nullable().hidden(),
});
const Doors = record(Door, {
  title: 'Door',
  call: ({ label }) => label,
  log: { id: ({ label }) => label },
  derive: (after, before) => ({
    changes_of_code: after.changes_of_code + (before && after.code !== before.code ? 1 : 0),
  }),
  erased: { code: null },
});
const Knock = table('attic_knock', { knock_id: id(), door_id: ref(Door), deleted_at: when().nullable() });
const KnockCount = counterTable('attic_knocks', {
  of: Knock,
  dimensions: ['door_id'],
  statistics: [statistic(Door, 'knocks')],
});
const DoorView = view(Doors, { more: (its) => ({ knocks: its.statistic('knocks'), visits: its.statistic('visits') }) });

const attic: Plugin = {
  id: 'attic',
  title: 'Attic',
  requires: ['directory'],
  entities: [Shelf, Box, Door, Knock],
  counters: [BoxCount, KnockCount],
  events: [Packed, Moved],
  dependents: [dependent(Box, 'shelf_id', 'boxes')],
  // Events without a subscriber are not stored.
  subscribers: [subscriber('attic.nobody', Moved, async () => {})],
  routes: [
    admin.get('/attic/boxes.php', {
      title: 'List boxes',
      access: anyCredential,
      query: admin.paging(BoxView.query),
      returns: list(BoxView),
      handle: (ctx, { query }) => pageOf(ctx, BoxView, query),
    }),
    admin.post('/attic/boxes.php', {
      title: 'Pack a box',
      access: anyCredential,
      body: z.object({ company_number: input.id(), label: input.text(40) }),
      returns: created(BoxView),
      handle: (ctx, { body }) => showOne(ctx, BoxView, create(ctx, Boxes, body)),
    }),
    admin.put('/attic/boxes.php?id={id}', {
      title: 'Change a box',
      access: anyCredential,
      body: input.changes({ weight: input.int(0, 99) }),
      returns: item(BoxView),
      load: (ctx, { id: box_id }) => lock(ctx, Boxes, box_id),
      handle: (ctx, { item: box, body }) => showOne(ctx, BoxView, change(ctx, Boxes, box, body)),
    }),
    helpdesk.get('/attic/boxes', {
      title: 'List own boxes',
      access: signedIn,
      query: helpdesk.paging({ state: OwnBox.query.state }),
      returns: list(OwnBox, 'boxes'),
      handle: (ctx, { query }) => pageOf(ctx, OwnBox, query),
    }),
  ],
};

interface Attic {
  readonly app: TestApp;
  readonly company_number: number;
  pack(given?: Partial<Box>): Promise<Box>;
  /** Returns the activity lines and events since the last call. */
  told(): Promise<{ lines: Partial<Row<typeof ActivityLine>>[]; events: Partial<Row<typeof StoredEvent>>[] }>;
}

async function open(t: ExecutionContext): Promise<Attic> {
  const app = await startApp(t, { plugins: [attic] });
  const { company_number } = await seedCompany(app);
  const { database } = app.app;
  const latest = async () => (await database.find(ActivityLine)).length;
  let [seenLines, seenEvents] = [await latest(), (await database.find(StoredEvent)).length];
  return {
    app,
    company_number,
    pack: (given = {}) => app.run((ctx) => create(ctx, Boxes, { company_number, label: 'Hats', ...given })),
    async told() {
      const lines = (await database.find(ActivityLine, { order: { log_id: 'ASC' } })).slice(seenLines);
      const events = (await database.find(StoredEvent)).slice(seenEvents);
      seenLines += lines.length;
      seenEvents += events.length;
      return {
        lines: lines.map(({ action, entity_type, entity_id, description, changes }) => ({
          action,
          entity_type,
          entity_id,
          description,
          changes,
        })),
        events: events.map(({ name, data, changed }) => ({ name, data, changed })),
      };
    },
  };
}

const now = '2026-03-02T09:00:00.000Z';
const inside = { inTransaction: true };

test('create: defaults, timestamps and derived columns; counted, logged and announced', async (t) => {
  const { app, company_number, pack, told } = await open(t);
  let noticed = 0;
  invalidateOnChange(app.app, { changing: () => noticed++, clear: () => {} }, [Box]);
  const box = await pack({ label: 'HATS' });
  t.deepEqual(box, {
    box_id: box.box_id,
    company_number,
    shelf_id: null,
    label: 'HATS',
    label_key: 'hats',
    code: 'none',
    state: 'open',
    weight: 0,
    marks: [],
    closed_at: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  });
  t.deepEqual(await app.app.database.findOneBy(Box, { box_id: box.box_id }), box);
  const { lines, events } = await told();
  t.deepEqual(lines, [
    {
      action: 'create',
      entity_type: 'box',
      entity_id: String(box.box_id),
      description: 'Box "HATS" created',
      changes: {},
    },
  ]);
  t.is(events[0]?.name, 'attic.packed');
  t.like(events[0]?.data, { box_id: box.box_id, created_at: now, shelf: null, heavy: false });
  t.is(await readCount(app.app.database, BoxCount, { company_number, state: 'open' }), 1);
  t.is(noticed, 1);
});

test('create: dependent rows are stored before announcements; a taken key is an error; all or nothing', async (t) => {
  const { app, company_number, pack, told } = await open(t);
  const order: string[] = [];
  await app.run((ctx) =>
    create(
      ctx,
      Boxes,
      { company_number, label: 'One' },
      { store: async ({ box_id }) => void order.push(`stored ${box_id > 0}`) },
    ),
  );
  t.deepEqual(order, ['stored true']);
  await told();
  await t.throwsAsync(pack({ label: 'ONE' }), { message: 'A box "ONE" exists already' });
  t.deepEqual(await told(), { lines: [], events: [] });
  t.is(await readCount(app.app.database, BoxCount, { company_number }), 1);
});

test('newRow and announceNew together equal create', async (t) => {
  const { app, company_number, told } = await open(t);
  const box = await app.run(async (ctx) => {
    const row = newRow(ctx, Boxes, { company_number, label: 'Bulk' });
    t.is(row.box_id, undefined as never);
    const stored = { ...row, box_id: await ctx.db.insertReturningId(Box, row) };
    await announceNew(ctx, Boxes, stored);
    return stored;
  });
  t.is((await told()).lines[0]?.entity_id, String(box.box_id));
});

test('change: only differences are stored and announced, with their consequences', async (t) => {
  const { app, company_number, pack, told } = await open(t);
  const box = await pack();
  await told();
  app.clock.set('2026-03-02T10:00:00.000Z');
  const body = { label: 'Caps', state: 'closed' as const, weight: undefined, marks: [], nothing_of_the_table: 1 };
  const after = await app.run(async (ctx) => change(ctx, Boxes, await lock(ctx, Boxes, box.box_id), body));
  const at = '2026-03-02T10:00:00.000Z';
  const expected = {
    ...box,
    label: 'Caps',
    label_key: 'caps',
    state: 'closed' as const,
    closed_at: at,
    updated_at: at,
  };
  t.deepEqual(after, expected);
  t.deepEqual(await app.app.database.findOneBy(Box, { box_id: box.box_id }), expected);
  const { lines, events } = await told();
  const changes = { label: ['Hats', 'Caps'], state: ['open', 'closed'], closed_at: [null, at] };
  t.like(lines[0], { action: 'update', description: 'Box "Caps" updated' });
  t.deepEqual(lines[0]?.changes, changes as never);
  t.deepEqual(events, [{ name: 'attic.moved', data: { box_id: box.box_id }, changed: Object.keys(changes) }]);
  t.is(await readCount(app.app.database, BoxCount, { company_number, state: 'open' }), 0);
  t.is(await readCount(app.app.database, BoxCount, { company_number, state: 'closed' }), 1);
});

test('change: no difference changes nothing; hidden columns are logged without values; extra alone is a change', async (t) => {
  const { app, pack, told } = await open(t);
  const box = await pack();
  await told();
  app.clock.set('2026-03-02T10:00:00.000Z');
  t.is(await app.run((ctx) => change(ctx, Boxes, box, { label: 'Hats', marks: [] })), box);
  t.deepEqual(await told(), { lines: [], events: [] });
  const coded = await app.run((ctx) => change(ctx, Boxes, box, { code: 'secret' }));
  t.deepEqual((await told()).lines[0]?.changes, { code: ['changed', 'changed'] });
  let stored = 0;
  const more = { extra: { custom: [null, 1] as const }, store: async () => void stored++ };
  const again = await app.run((ctx) => change(ctx, Boxes, coded, {}, more));
  t.is(again.updated_at, '2026-03-02T10:00:00.000Z');
  t.deepEqual((await told()).lines[0]?.changes, { custom: [null, 1] });
  t.is(stored, 1);
});

test('change: rejected by its noun, a unique key or a concurrent change', async (t) => {
  const { app, pack, told } = await open(t);
  const box = await pack({ weight: 5 });
  const other = await pack({ label: 'Shoes' });
  await told();
  const attempt = (row: Box, wanted: Partial<Box>) => app.run((ctx) => change(ctx, Boxes, row, wanted));
  await t.throwsAsync(attempt(box, { weight: 4 }), { message: 'A box never gets lighter' });
  await t.throwsAsync(attempt(other, { label: 'hats' }), { message: 'A box "hats" exists already' });
  await attempt(box, { state: 'closed' });
  await told();
  await t.throwsAsync(attempt(box, { weight: 6 }), {
    message: 'The box was changed by someone else: reload and try again',
  });
  t.deepEqual(await told(), { lines: [], events: [] });
});

test('create and change: a reference to nothing is an error that names the field', async (t) => {
  const { app, pack, told } = await open(t);
  const box = await pack({});
  await told();
  const absent = { instanceOf: Problem, message: 'shelf_id must be an existing record' };
  await t.throwsAsync(pack({ label: 'Shoes', shelf_id: 999 }), absent);
  await t.throwsAsync(
    app.run((ctx) => change(ctx, Boxes, box, { shelf_id: 999 })),
    absent,
  );
  t.deepEqual(await told(), { lines: [], events: [] });
});

test('changeAll: rows with equal changes share a statement; each is counted and announced', async (t) => {
  const { app, company_number, pack, told } = await open(t);
  const boxes = [await pack({ label: 'A' }), await pack({ label: 'B' }), await pack({ label: 'C', state: 'closed' })];
  await told();
  const changed = await app.run((ctx) => changeAll(ctx, Boxes, boxes, { state: 'closed' }));
  t.deepEqual(
    changed.map(({ label, state }) => [label, state]),
    [
      ['A', 'closed'],
      ['B', 'closed'],
    ],
  );
  const { lines, events } = await told();
  t.deepEqual([lines.length, events.length], [2, 2]);
  t.is(await readCount(app.app.database, BoxCount, { company_number, state: 'closed' }), 3);
  await app.run((ctx) => changeAll(ctx, Boxes, changed, ({ label }) => ({ label: label.toLowerCase() })));
  t.deepEqual((await app.app.database.findBy(Box, { state: 'closed' })).map(({ label }) => label).toSorted(), [
    'C',
    'a',
    'b',
  ]);
  const many = await Promise.all(
    Array.from({ length: 8 }, async (_, i) => pack({ label: `Box ${i}`, shelf_id: null })),
  );
  const Plain = record(Shelf, { title: 'Shelf', call: ({ label }) => label });
  const shelves = await app.run((ctx) => Promise.all(many.map(({ label }) => create(ctx, Plain, { label }))));
  let few = 0;
  await app.run(async (ctx) => {
    few = await app.statements(() => changeAll(ctx, Plain, shelves, { label: 'Alike' }), inside);
  });
  t.is(few, 1);
});

test('changeAll: one statement for rows in different states, all as the caller saw them', async (t) => {
  const { app, pack } = await open(t);
  const boxes = [await pack({ label: 'A' }), await pack({ label: 'B' }), await pack({ label: 'C', state: 'closed' })];
  // Without the other record's hooks, which run statements of their own.
  const Plain = record(Box, { title: 'Box', call: ({ label }) => label, unchanged: ['state'] });
  let n = 0;
  await app.run(async (ctx) => {
    n = await app.statements(() => changeAll(ctx, Plain, boxes, { weight: 30 }), inside);
  });
  t.is(n, 1);
  t.deepEqual(
    (await app.app.database.find(Box)).map(({ weight }) => weight),
    [30, 30, 30],
  );
  await app.app.database.update(Box, { label: 'B' }, { state: 'closed' });
  await t.throwsAsync(
    app.run((ctx) => changeAll(ctx, Plain, boxes, { weight: 40 })),
    { message: 'The box was changed by someone else: reload and try again' },
  );
  t.deepEqual(
    (await app.app.database.find(Box)).map(({ weight }) => weight),
    [30, 30, 30],
  );
});

test('remove: soft delete frees unique keys; permanent without deleted_at', async (t) => {
  const { app, company_number, pack, told } = await open(t);
  const boxes = [await pack(), await pack({ label: 'Shoes' })];
  await told();
  await app.run((ctx) => remove(ctx, Boxes, boxes));
  for (const { box_id } of boxes)
    t.like(await app.app.database.findOneBy(Box, { box_id }), { label_key: null, deleted_at: now, code: 'none' });
  t.deepEqual(
    (await told()).lines.map(({ action, description }) => [action, description]),
    [
      ['delete', 'Box "Hats" deleted'],
      ['delete', 'Box "Shoes" deleted'],
    ],
  );
  t.is(await readCount(app.app.database, BoxCount, { company_number }), 0);
  t.is((await pack()).label, 'Hats');
  const shelf = await app.run((ctx) => create(ctx, Shelves, { label: 'Top' }));
  await app.run((ctx) => remove(ctx, Shelves, shelf));
  t.is(await app.app.database.count(Shelf), 0);
  t.deepEqual((await told()).lines.map(({ description }) => description).slice(-2), [
    'Attic shelf Top created',
    'Attic shelf Top deleted',
  ]);
  await app.run((ctx) => remove(ctx, Shelves, []));
});

test('derived columns, erased columns and custom log ids', async (t) => {
  const { app, told } = await open(t);
  const doors = await app.run(async (ctx) => [
    await create(ctx, Doors, { label: 'Front', code: '1234' }),
    await create(ctx, Doors, { label: 'Back', code: '1234' }),
  ]);
  t.deepEqual(
    doors.map((each) => each.changes_of_code),
    [0, 0],
  );
  await told();
  const again = await app.run((ctx) => changeAll(ctx, Doors, doors, { code: '4321' }));
  t.deepEqual(
    again.map((each) => each.changes_of_code),
    [1, 1],
  );
  await app.run((ctx) => remove(ctx, Doors, again));
  const rows = await app.app.database.find(Door);
  t.deepEqual(
    rows.map(({ label, code, changes_of_code, deleted_at }) => [label, code, changes_of_code, deleted_at]),
    [
      ['Front', null, 1, now],
      ['Back', null, 1, now],
    ],
  );
  t.deepEqual(
    (await told()).lines.map(({ entity_id, description, changes }) => [entity_id, description, changes]),
    [
      ['Front', 'Door Front updated', { code: ['changed', 'changed'] }],
      ['Back', 'Door Back updated', { code: ['changed', 'changed'] }],
      ['Front', 'Door Front deleted', {}],
      ['Back', 'Door Back deleted', {}],
    ],
  );
});

test('a view shows statistics of its rows: exact, in one statement', async (t) => {
  const { app } = await open(t);
  const doors = await app.run(async (ctx) => {
    const made = [await create(ctx, Doors, { label: 'Front' }), await create(ctx, Doors, { label: 'Back' })];
    const knock = { knock_id: 0, door_id: made[0]?.door_id ?? 0, deleted_at: null };
    for (const each of [knock, knock]) updateCounters(ctx, Knock, undefined, each);
    return made;
  });
  const ctx = app.app.system();
  const [front, back] = doors.map(({ door_id }) => door_id);
  t.deepEqual<unknown, unknown>(await show(ctx, DoorView, doors), [
    { door_id: front, label: 'Front', knocks: 2, visits: 0 },
    { door_id: back, label: 'Back', knocks: 0, visits: 0 },
  ]);
  t.is(await app.statements(() => show(ctx, DoorView, doors)), 1);
  const [door] = doors;
  if (!door) throw new Error('There is no door');
  t.like(await showOne(ctx, DoorView, door), { knocks: 2 });
  t.like(await eventData(ctx, DoorView, door), { knocks: 2 });
  t.like(showWith(DoorView, door, { knocks: 7, visits: 0 }), { knocks: 7 });
});

test('remove: referenced rows stay; cached names are invalidated on change', async (t) => {
  const { app, pack } = await open(t);
  const shelf = await app.run((ctx) => create(ctx, Shelves, { label: 'Top' }));
  const box = await pack({ shelf_id: shelf.shelf_id });
  const error = await t.throwsAsync(app.run((ctx) => remove(ctx, Shelves, shelf)));
  t.is(error?.message, 'Top still has boxes');
  const shown = () => showOne(app.app.system(), BoxView, box);
  t.is((await shown()).shelf, 'Top');
  await app.run((ctx) => change(ctx, Shelves, shelf, { label: 'Bottom' }));
  const names = await app.app.names.get(app.app.database, Shelves.options.names ?? ShelfNames, [shelf.shelf_id]);
  t.is(names.get(shelf.shelf_id), 'Bottom');
});

test('findOr404, lock and lockAll ignore deleted rows', async (t) => {
  const { app, pack } = await open(t);
  const [one, two, gone] = [await pack({ label: '1' }), await pack({ label: '2' }), await pack({ label: '3' })];
  await app.run((ctx) => remove(ctx, Boxes, gone));
  t.deepEqual(await findOr404(app.app.system(), Boxes, one.box_id), one);
  for (const find of [findOr404, lock])
    await t.throwsAsync(
      app.run((ctx) => find(ctx, Boxes, gone.box_id)),
      { message: 'Box not found' },
    );
  const ids = [two.box_id, gone.box_id, one.box_id, two.box_id];
  t.deepEqual(await app.run((ctx) => lockAll(ctx, Boxes, ids)), [one, two]);
  t.deepEqual(await app.run((ctx) => lockAll(ctx, Boxes, [])), []);
});

test('pageOf: filtered, sorted, named, renamed; timestamps without milliseconds; nothing hidden', async (t) => {
  const { app, company_number, pack } = await open(t);
  const ctx = app.app.system();
  const { shelf_id } = await app.run((each) => create(each, Shelves, { label: 'Top' }));
  const light = await pack({ label: 'Light', weight: 1, shelf_id });
  app.clock.set('2026-03-03T09:00:00.500Z');
  const heavy = await pack({ label: 'Heavy', weight: 10 });
  await pack({ label: 'Closed', state: 'closed' });
  const asked = { state: 'open', sort: 'weight', order: 'desc', page: 1, size: 10 } as const;
  const { rows, total } = await pageOf(ctx, BoxView, asked);
  t.is(total, 2);
  t.deepEqual(rows[0], {
    box_id: heavy.box_id,
    company_number,
    shelf_id: null,
    label: 'Heavy',
    state: 'open',
    weight: 10,
    closed_at: null,
    created_at: '2026-03-03T09:00:00Z',
    updated_at: '2026-03-03T09:00:00Z',
    shelf: null,
    number: heavy.box_id,
    heavy: true,
  } as never);
  t.like(rows[1], { box_id: light.box_id, shelf: 'Top', heavy: false });
  const labels = async (more: object) =>
    (await pageOf(ctx, BoxView, { page: 1, size: 10, ...more })).rows.map(({ label }) => label);
  t.deepEqual(await labels({ at_least: 2 }), ['Heavy']);
  t.deepEqual(await labels({ created_before: '2026-03-02T23:00:00.000Z' }), ['Light']);
  t.deepEqual(await labels({ created_after: '2026-03-03T09:00:00.500Z' }), ['Closed', 'Heavy']);
  t.is(await countOf(ctx, BoxView, { state: 'closed' }), 1);
  t.is(await countOf(ctx, BoxView, {}, { where: [is('weight', 1)] }), 1);
  const exported: string[] = [];
  for await (const batch of answers(ctx, BoxView, { order: 'asc' })) exported.push(...batch.map(({ label }) => label));
  t.deepEqual(exported, ['Light', 'Heavy', 'Closed']);
});

test('rows hidden by a view do not exist on its surface', async (t) => {
  const { app, company_number, pack } = await open(t);
  const box = await pack();
  const { company_number: other } = await seedCompany(app);
  // This view uses only the employee's company.
  const actorOf = (number: number) => ({ company_number: number }) as unknown as EmployeeActor;
  const ctxOf = (number: number) => contextOf({ app: app.app, actor: actorOf(number), author: theSystem });
  t.deepEqual(await findVisible(ctxOf(company_number), OwnBox, box.box_id), box);
  await t.throwsAsync(findVisible(ctxOf(other), OwnBox, box.box_id), { message: 'Box not found' });
  t.deepEqual((await pageOf(ctxOf(company_number), OwnBox, { page: 1, size: 5 })).rows, [
    { box_id: box.box_id, label: 'Hats' },
  ] as never);
  t.is(await countOf(ctxOf(other), OwnBox, {}), 0);
});

test('another company’s row is not found, even by code that does not check it', async (t) => {
  const { app, pack } = await open(t);
  const box = await pack();
  const { company_number } = await seedCompany(app);
  const actor = { employee_number: 1, company_number } as unknown as EmployeeActor;
  const ctx = contextOf({ app: app.app, actor, author: theSystem });
  const hidden = { message: 'Box not found' };
  await t.throwsAsync(findOr404(ctx, Boxes, box.box_id), hidden);
  await t.throwsAsync(show(ctx, BoxView, [box]), hidden);
  await t.throwsAsync(showOne(ctx, BoxView, box), hidden);
});

test('event rows keep their milliseconds; known names are not read', async (t) => {
  const { app, pack } = await open(t);
  const box = await pack();
  const ctx = app.app.system();
  t.is((await eventData(ctx, BoxView, box)).created_at, now);
  t.like(eventDataWith(BoxView, box, { shelf: 'Known' }), { shelf: null, created_at: now });
  t.is(showWith(BoxView, { ...box, shelf_id: 7 }, { shelf: 'Known' }).shelf, 'Known');
  t.throws(() => showWith(BoxView, box, {}), { message: 'The name shelf of attic_box was not provided' });
  t.is((await show(ctx, BoxView, [box, box]))[1]?.created_at, '2026-03-02T09:00:00Z');
  const { shelf_id } = await app.run((it) => create(it, Shelves, { label: 'Top' }));
  const shelved = [box, { ...box, shelf_id }, { ...box, shelf_id }];
  await app.run(async (it) => {
    let dataOf: (row: Box) => object = () => ({});
    t.is(await app.statements(async () => void (dataOf = await eventDataFor(it, BoxView, shelved)), inside), 1);
    t.like(shelved.map(dataOf), [{ shelf: null }, { shelf: 'Top', created_at: now }, { shelf: 'Top' }]);
  });
});

test('flags are filtered as stored', async (t) => {
  const { app } = await open(t);
  const ShelfView = view(Shelves);
  for (const wide of [true, true, false]) await app.run((ctx) => create(ctx, Shelves, { label: 'Top', wide }));
  const ctx = app.app.system();
  t.is(await countOf(ctx, ShelfView, { wide: true }), 2);
  t.is(await countOf(ctx, ShelfView, { wide: false }), 1);
});

test('lookups are resolved for all rows at once', async (t) => {
  const { app, pack } = await open(t);
  const asked: (readonly number[])[] = [];
  const Labelled = view(boxNoun, {
    only: ['box_id'],
    more: (its) => ({
      moved: its.lookup(
        z.array(z.iso.datetime()),
        'box_id',
        async (_ctx, ids) => {
          asked.push(ids);
          return new Map([[ids[0] ?? 0, [now]]]);
        },
        [],
      ),
      shelf: its.lookup(z.string(), 'shelf_id', async () => new Map([[7, 'Seventh']]), 'none'),
    }),
  });
  const [hats, shoes] = [await pack(), await pack({ label: 'Shoes' })];
  const ctx = app.app.system();
  t.deepEqual(await show(ctx, Labelled, [{ ...hats, shelf_id: 7 }, shoes]), [
    { box_id: hats.box_id, moved: ['2026-03-02T09:00:00Z'], shelf: 'Seventh' },
    { box_id: shoes.box_id, moved: [], shelf: 'none' },
  ] as never);
  t.deepEqual(asked, [[hats.box_id, shoes.box_id]]);
  t.deepEqual(showWith(Labelled, shoes, { moved: [now], shelf: null }).moved, ['2026-03-02T09:00:00Z']);
  t.is(asked.length, 1);
});

test('members that pick from the same lookup share it', async (t) => {
  const { app, pack } = await open(t);
  let reads = 0;
  const readParts = async (_ctx: unknown, ids: readonly number[]) => {
    reads++;
    return new Map([[ids[0] ?? 0, { size: 3, colour: 'red' }]]);
  };
  const Labelled = view(boxNoun, {
    only: ['box_id'],
    more: (its) => ({
      size: its.lookup(z.int(), 'box_id', readParts, 0, (part) => part.size),
      colour: its.lookup(z.string().nullable(), 'box_id', readParts, 'none', (part) => part.colour),
    }),
  });
  const [hats, shoes] = [await pack(), await pack({ label: 'Shoes' })];
  t.deepEqual(await show(app.app.system(), Labelled, [hats, shoes]), [
    { box_id: hats.box_id, size: 3, colour: 'red' },
    { box_id: shoes.box_id, size: 0, colour: 'none' },
  ] as never);
  t.is(reads, 1);
});

test('routes return what went through a view', async (t) => {
  const { app, company_number } = await open(t);
  const key = { type: 'admin', name: 'Test', permissions: ['companies:read'] } as const;
  const { api_key: token } = await app.run((ctx) => createApiKey(ctx, key));
  const path = '/admin/api/v1/attic/boxes.php';
  const made = await app.request('POST', path, { token, body: { company_number, label: 'Hats' } });
  t.is(made.status, 201);
  t.deepEqual(Object.keys(made.body.data), Object.keys(BoxView.shape.shape));
  const { box_id } = made.body.data;
  const answer = await app.request('PUT', `${path}?id=${box_id}`, { token, body: { weight: 12 } });
  t.like(answer.body.data, { weight: 12, heavy: true });
  t.is((await app.request('PUT', `${path}?id=${box_id + 1}`, { token, body: {} })).body.error, 'Box not found');
  const listed = await app.request('GET', `${path}?sort=WEIGHT&order=asc&state=all`, { token });
  t.deepEqual(listed.body.data, [answer.body.data]);
  t.is((await app.request('GET', `${path}?sort=label`, { token })).status, 400);
  t.is((await app.request('GET', `${path}?state=lost`, { token })).status, 400);
});

test('declarations with unknown names are rejected at load time', (t) => {
  t.throws(() => noun(Box, { title: 'Box', sorts: { lid: by('lid') } }), { message: /no column lid to sort by/ });
  const ofTheFuture = 'lid' as 'label';
  t.throws(() => noun(Box, { title: 'Box', filters: (its) => ({ lid: its.is(ofTheFuture) }) }), {
    message: /no column lid to filter by/,
  });
  t.throws(() => view(boxNoun, { only: [ofTheFuture] }), { message: /no column lid to show/ });
  t.throws(() => noun(Box, { title: 'Box', filters: (its) => ({ marks: its.is('marks') }) }), {
    message: /takes its own parameter/,
  });
});

/** Never called: the compiler must reject each line. */
export async function wrongUses(ctx: Context, box: Box): Promise<void> {
  // @ts-expect-error -- a column that an insert needs is missing
  await create(ctx, Boxes, { label: 'Hats' });
  // @ts-expect-error -- timestamps come from the clock
  await create(ctx, Boxes, { company_number: 1, label: 'Hats', created_at: ctx.now });
  // @ts-expect-error -- derived columns cannot be set
  await create(ctx, Boxes, { company_number: 1, label: 'Hats', label_key: 'hats' });
  // @ts-expect-error -- no such value
  await change(ctx, Boxes, box, { state: 'lost' });
  // @ts-expect-error -- no such column
  await change(ctx, Boxes, box, { lid: true });
  // @ts-expect-error -- another noun's row
  await change(ctx, Shelves, box, { label: 'Top' });
  // @ts-expect-error -- a view cannot show a hidden column
  view(boxNoun, { only: ['label_key'] });
  // @ts-expect-error -- this view needs the owner's company
  await pageOf(ctx, OwnBox, { page: 1, size: 10 });
  // @ts-expect-error -- no such filter value
  await pageOf(ctx, BoxView, { state: 'lost', page: 1, size: 10 });
  admin.get('/attic/boxes.php?id={id}', {
    title: 'Read a box',
    access: anyCredential,
    returns: item(BoxView),
    load: (inside, params) => findOr404(inside, Boxes, params.id),
    // @ts-expect-error -- the row was not passed through the view
    handle: (_inside, input) => input.item,
  });
}
