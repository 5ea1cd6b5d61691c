import test from 'ava';
import { fairQueue } from '../../core/kit/fair-queue.ts';

const full = () => new Error('full');

/** Work that ends when it is told to; `begun` says whose has begun, in order. */
function piecework(options: { atOnce: number; waiting: number }) {
  const inTurn = fairQueue({ ...options, full });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (whose: string) =>
    inTurn(whose, async () => {
      begun.push(whose);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { begun, add, settle, endOne: async () => (ends.shift()?.(), settle()) };
}

test('tenants take turns, however many of one wait', async (t) => {
  const { begun, add, settle, endOne } = piecework({ atOnce: 2, waiting: 10 });
  const all = [...'aaaaaab'.split(''), 'c', 'c'].map(add);
  await settle();
  t.deepEqual(begun, ['a', 'a']);
  for (let i = 0; i < all.length; i++) await endOne();
  t.deepEqual(begun.join(''), 'aaabcacaa');
  await Promise.all(all);
});

test('each tenant has its own room to wait in', async (t) => {
  const { begun, add, settle, endOne } = piecework({ atOnce: 1, waiting: 2 });
  const waiting = ['a', 'a', 'a', 'b', 'b'].map(add);
  await settle();
  await t.throwsAsync(add('a'), { message: 'full' });
  await t.throwsAsync(add('b'), { message: 'full' });
  for (let i = 0; i < waiting.length; i++) await endOne();
  await Promise.all(waiting);
  t.is(begun.length, 5);
});

test('work that fails gives its place away', async (t) => {
  const inTurn = fairQueue({ atOnce: 1, waiting: 1, full });
  const failing = inTurn('a', () => Promise.reject(new Error('broken')));
  const next = inTurn('a', async () => 'done');
  await t.throwsAsync(failing, { message: 'broken' });
  t.is(await next, 'done');
  t.is(await inTurn('b', async () => 'again'), 'again');
});
