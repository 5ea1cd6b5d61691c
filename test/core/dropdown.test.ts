import { changeSetting, definePlugin, dropdown, readDropdown, setting, z } from '@keelson/core';
import { changeDropdown } from '@keelson/core/system';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { faultsOf } from '../../core/plugin/load/check.ts';
import { ActivityLine } from '../../packages/log/activity.ts';

const Vendors = dropdown('stock_vendors', {
  title: 'Vendors',
  items: ['Acme', { value: 'initech', label: 'Initech', phone: '555' }],
  extra: { phone: z.string().max(20).default('') },
});
const stock = definePlugin({ id: 'stock', title: 'Stock', dropdowns: [Vendors] });

test('a list has its declared items until changed, in display order', async (t) => {
  const { app, run } = await startApp(t, { plugins: [stock] });
  const ctx = app.system();
  t.deepEqual(await readDropdown(ctx, Vendors), [
    { id: 1, value: 'Acme', label: 'Acme', active: true, sort_order: 1, phone: '' },
    { id: 2, value: 'initech', label: 'Initech', active: true, sort_order: 2, phone: '555' },
  ]);
  await run((inside) => changeDropdown(inside, Vendors, [{ value: 'Hooli', sort_order: 9 }, 'INITECH', 'Globex']));
  t.deepEqual(
    (await readDropdown(ctx, Vendors)).map(({ id, value, phone }) => [id, value, phone]),
    [
      [2, 'INITECH', ''],
      [4, 'Globex', ''],
      [3, 'Hooli', ''],
    ],
    'a value that stays keeps its id',
  );
  await run((inside) => changeDropdown(inside, Vendors, ['Hooli']));
  await run((inside) => changeDropdown(inside, Vendors, ['Hooli', 'Globex', 'Initrode']));
  t.deepEqual(
    (await readDropdown(ctx, Vendors)).map(({ id }) => id),
    [3, 5, 6],
    'no id is given out twice',
  );
});

test('an invalid item is reported with list, position and member', async (t) => {
  const { app, run } = await startApp(t, { plugins: [stock] });
  for (const [wanted, message] of [
    [['Acme', { label: 'x' }], 'stock_vendors[1].value is required'],
    [[''], 'stock_vendors[0].value is required'],
    [[7], 'stock_vendors[0] must be an object'],
    [[{ value: 'a', active: 'yes' }], 'stock_vendors[0].active must be true or false'],
    [[{ value: 'a', phone: 5 }], 'stock_vendors[0].phone must be text'],
    [['a', 'b', ' A'], 'stock_vendors[2].value is listed twice'],
    [Array.from({ length: 501 }, (_, i) => `v${i}`), 'stock_vendors must contain at most 500 items'],
  ] as const) {
    await t.throwsAsync(
      run((ctx) => changeDropdown(ctx, Vendors, wanted)),
      { message },
    );
  }
  t.is((await readDropdown(app.system(), Vendors)).length, 2);
});

test('two concurrent changes do not overwrite each other', async (t) => {
  const { app, run } = await startApp(t, { plugins: [stock] });
  await Promise.all([
    run((ctx) => changeDropdown(ctx, Vendors, ['Acme', 'One'])),
    run((ctx) => changeDropdown(ctx, Vendors, ['Acme', 'Two'])),
  ]);
  const [, second] = await readDropdown(app.system(), Vendors);
  t.true(second?.value === 'One' || second?.value === 'Two');
  await run(async (ctx) => {
    await changeDropdown(ctx, Vendors, ['Seen inside']);
    t.is((await readDropdown(ctx, Vendors))[0]?.value, 'Seen inside');
  });
});

test('plugin lists have prefixed names', (t) => {
  const other = definePlugin({
    id: 'other',
    title: 'Other',
    dropdowns: [Vendors, dropdown('industries', { title: 'x', items: [] })],
  });
  t.deepEqual(
    faultsOf([
      { plugin: stock, source: 'plugin' },
      { plugin: other, source: 'plugin' },
    ]).map(({ plugin, message }) => `${plugin}: ${message}`),
    [
      'other: dropdown stock_vendors is already taken by stock',
      'other: dropdown stock_vendors must start with other_',
      'other: dropdown industries must start with other_',
    ],
  );
});

test('a changed setting that is a number is in the activity log', async (t) => {
  const Days = setting('stock.days', z.int(), 30);
  const { app, run } = await startApp(t, {
    plugins: [definePlugin({ id: 'stock', title: 'Stock', settings: [Days] })],
  });
  await run((ctx) => changeSetting(ctx, Days, { next: () => 9, description: 'Days changed' }));
  const where = { entity_type: 'setting', entity_id: 'stock.days' };
  const lines = await app.database.find(ActivityLine, { where });
  t.deepEqual(
    lines.map(({ changes }) => changes),
    [{ value: [30, 9] }],
  );
});
