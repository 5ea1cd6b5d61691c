// Activity log entries of records with custom rules, and what a deleted row loses.
import { change, create, definePlugin, id, int, json, record, remove, table, text, when, z } from '@keelson/core';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { ActivityLine } from '../../packages/log/activity.ts';

const Door = table('attic_door', {
  door_id: id(),
  address: text(200),
  marks: json(z.array(z.string())).default([]),
  key: text(40).nullable().hidden(),
  turns: int().default(0),
  deleted_at: when().nullable().hidden(),
});
const Doors = record(Door, {
  title: 'Door',
  call: ({ door_id }) => door_id,
  log: {
    describe: (action, { door_id }) => `Door ${door_id}: ${action}`,
    created: ['address', 'key', 'turns'],
    omit: ['turns'],
    redact: ({ address, marks }) => ({ address: new URL(address).origin, marks: marks.length }),
  },
  erased: { key: null, turns: -1 },
});
const attic = definePlugin({ id: 'attic', title: 'Attic', entities: [Door] });

test('the log redacts possible secrets and omits bookkeeping columns', async (t) => {
  const app = await startApp(t, { plugins: [attic] });
  const lines = async () => {
    const stored = await app.app.database.find(ActivityLine, {
      where: { entity_type: 'attic_door' },
      order: { log_id: 'ASC' },
    });
    return stored.map(({ description, changes }) => [description, changes]);
  };
  const hidden = ['changed', 'changed'];
  const door = await app.run((ctx) =>
    create(ctx, Doors, { address: 'https://one.example/?token=CANARY', key: 'CANARY', turns: 3 }),
  );
  const later = await app.run(async (ctx) => {
    const moved = await change(ctx, Doors, door, { address: 'https://two.example/CANARY', turns: 4 });
    const same = await change(ctx, Doors, moved, {
      address: 'https://two.example',
      marks: ['CANARY'],
      key: 'CANARY 2',
    });
    return change(ctx, Doors, same, { turns: 5 });
  });
  await app.run((ctx) => remove(ctx, Doors, later));
  t.deepEqual(await lines(), [
    ['Door 1: create', { address: [null, 'https://one.example'], key: hidden, turns: [null, 3] }],
    ['Door 1: update', { address: ['https://one.example', 'https://two.example'] }],
    ['Door 1: update', { address: hidden, marks: [0, 1], key: hidden }],
    ['Door 1: update', {}],
    ['Door 1: delete', {}],
  ]);
  t.like(await app.app.database.findOneBy(Door, { door_id: 1 }), { key: null, turns: -1, deleted_at: app.clock.now() });
});
