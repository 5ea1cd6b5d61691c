// Closing an application while requests are being handled.
import { admin, anyone, definePlugin, flat, id, table, z } from '@keelson/core';
import { openApp } from '@keelson/testing';
import test from 'ava';

test('closing waits for the work of requests whose clients have left', async (t) => {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const counted: number[] = [];
  const Ring = table('bell_ring', { ring_id: id() });
  const ring = admin.get('/bell.php', {
    title: 'Count the rings',
    access: anyone,
    returns: flat(z.object({})),
    async handle(ctx) {
      reached.resolve();
      await released.promise;
      counted.push(await ctx.db.count(Ring));
      return {};
    },
  });
  const bell = definePlugin({ id: 'bell', title: 'Bell', entities: [Ring], routes: [ring] });
  const app = await openApp({ plugins: [bell] });
  const client = new AbortController();
  const asking = t.throwsAsync(fetch(`${app.url}/admin/api/v1/bell.php`, { signal: client.signal }));
  await reached.promise;
  client.abort();
  await asking;
  const closing = app.close();
  setImmediate(() => released.resolve());
  // It fails if the application has logged an error.
  await closing;
  t.deepEqual(counted, [0]);
});
