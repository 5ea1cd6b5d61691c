import { definePlugin } from '@keelson/core';
import { hook, hooked, runHook } from '@keelson/core/plugin';
import { startApp } from '@keelson/testing';
import test from 'ava';

const Filled = hook<readonly number[]>('shelf.filled');
const Unused = hook<string>('shelf.unused');

test('a hook runs attached plugin code in the transaction; an error rolls back the write', async (t) => {
  const seen: (readonly number[])[] = [];
  const listener = (id: string) =>
    definePlugin({
      id,
      title: id,
      hooks: [
        hooked(Filled, async (ctx, ids) => {
          t.truthy(ctx.tx);
          seen.push(ids);
          if (ids.length > 2) throw new Error('Too many');
        }),
      ],
    });
  const { app } = await startApp(t, { plugins: [listener('first'), listener('second')] });
  const run = (ids: readonly number[]) => app.system().transaction((ctx) => runHook(ctx, Filled, ids));
  await run([1, 2]);
  t.deepEqual(seen, [
    [1, 2],
    [1, 2],
  ]);
  await t.throwsAsync(run([1, 2, 3]), { message: 'Too many' });
  t.is(seen.length, 3);
  await app.system().transaction((ctx) => runHook(ctx, Unused, 'nobody listens'));
});
