import test from 'ava';
import { fairQueue } from '../../packages/kit/fair-queue.ts';

const full = () => new Error('full');

/** Work that ends on demand; `begun` lists the owners in start order. */
function piecework(options: { atOnce: number; waiting: number; waitingInAll?: number }) {
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

test('tenants take turns, however long one tenant’s queue is', async (t) => {
  const { begun, add, settle, endOne } = piecework({ atOnce: 2, waiting: 10 });
  const all = [...'aaaaaab'.split(''), 'c', 'c'].map(add);
  await settle();
  t.deepEqual(begun, ['a', 'a']);
  for (let i = 0; i < all.length; i++) await endOne();
  t.deepEqual(begun.join(''), 'aabcacaaa');
  await Promise.all(all);
});

test('newcomers wait for running work, not for the queues of tenants already served', async (t) => {
  const { begun, add, settle, endOne } = piecework({ atOnce: 1, waiting: 10 });
  const all = 'aaaa'.split('').map(add);
  await settle();
  all.push(add('b'), add('c'), add('b'));
  await endOne();
  await endOne();
  await endOne();
  all.push(add('d'));
  for (let i = 3; i < all.length; i++) await endOne();
  t.is(begun.join(''), 'abcabdaa');
  await Promise.all(all);
});

test('sequential callers do not starve others', async (t) => {
  const { begun, add, settle, endOne } = piecework({ atOnce: 1, waiting: 10 });
  const all = 'aab'.split('').map(add);
  await settle();
  for (const each of 'cdef') {
    all.push(add(each));
    await endOne();
  }
  for (let i = 4; i < all.length; i++) await endOne();
  t.is(begun.join(''), 'abcadef');
  await endOne();
  await Promise.all(all);
});

test('the total queue is limited as well', async (t) => {
  const { add, settle, endOne } = piecework({ atOnce: 1, waiting: 2, waitingInAll: 3 });
  const all = 'aabc'.split('').map(add);
  await settle();
  await t.throwsAsync(add('d'), { message: 'full' });
  await endOne();
  all.push(add('d'));
  for (let i = 1; i < all.length; i++) await endOne();
  await Promise.all(all);
});

test('each tenant has its own queue limit', async (t) => {
  const { begun, add, settle, endOne } = piecework({ atOnce: 1, waiting: 2 });
  const waiting = ['a', 'a', 'a', 'b', 'b'].map(add);
  await settle();
  await t.throwsAsync(add('a'), { message: 'full' });
  await t.throwsAsync(add('b'), { message: 'full' });
  for (let i = 0; i < waiting.length; i++) await endOne();
  await Promise.all(waiting);
  t.is(begun.length, 5);
});

test('failing work frees its slot', async (t) => {
  const inTurn = fairQueue({ atOnce: 1, waiting: 1, full });
  const failing = inTurn('a', () => Promise.reject(new Error('broken')));
  const next = inTurn('a', async () => 'done');
  await t.throwsAsync(failing, { message: 'broken' });
  t.is(await next, 'done');
  t.is(await inTurn('b', async () => 'again'), 'again');
});
