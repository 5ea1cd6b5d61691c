import { definePlugin, z } from '@keelson/core';
import { fill, readSlot, slot } from '@keelson/core/plugin';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { faultsOf } from '../../core/plugin/load/check.ts';

const Names = slot('shelf.names', z.array(z.string()), []);
const Empty = slot('shelf.empty', z.int(), 0);
const asked: (readonly number[])[] = [];
const filler = definePlugin({
  id: 'filler',
  title: 'Filler',
  fills: [
    fill(Names, async (_ctx, ids) => {
      asked.push(ids);
      return new Map(ids.filter((id) => id > 1).map((id) => [id, [`shelf ${id}`]]));
    }),
  ],
});

test('a slot shows its plugin’s values for the ids, and nothing without a plugin', async (t) => {
  const { app } = await startApp(t, { plugins: [filler] });
  const ctx = app.system();
  const namesOf = await readSlot(ctx, Names, [1, 2]);
  t.deepEqual([namesOf(1), namesOf(2)], [[], ['shelf 2']]);
  t.deepEqual((await readSlot(ctx, Names, []))(1), []);
  t.deepEqual(asked, [[1, 2]], 'without ids nobody is asked');
  t.is((await readSlot(ctx, Empty, [1]))(1), 0);
});

test('a slot can be filled once', (t) => {
  const second = definePlugin({ ...filler, id: 'second' });
  const faults = faultsOf([filler, second].map((plugin) => ({ plugin, source: 'module' as const })));
  t.deepEqual(faults, [{ plugin: 'second', message: 'slot shelf.names is already taken by filler' }]);
});
