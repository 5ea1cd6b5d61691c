import { batchWrites } from '@keelson/core/system';
import test from 'ava';

test('values are written together, the latest per key, and readable until then', async (t) => {
  const written: [string, number][][] = [];
  const gathering = batchWrites<string, number>(10, async (values) => void written.push([...values]));
  const work = gathering.add('a', 1);
  t.is(gathering.add('b', 2), undefined);
  void gathering.add('a', 3);
  const unwritten = gathering.reading();
  t.is(unwritten('a'), 3);
  await work;
  t.deepEqual(written, [
    [
      ['a', 3],
      ['b', 2],
    ],
  ]);
  t.is(gathering.reading()('a'), undefined);
  t.is(unwritten('a'), 3, 'for those who began to read before');
});

test('values arriving during a write are written next', async (t) => {
  const written: string[] = [];
  const gathering = batchWrites<string, number>(1, async (values) => {
    if (written.length === 0) void gathering.add('late', 2);
    written.push(...values.keys());
  });
  await gathering.add('early', 1);
  t.deepEqual(written, ['early', 'late']);
});

test('a failed write reports to its callers and does not stop later writes', async (t) => {
  let fail = true;
  const gathering = batchWrites<string, number>(1, async () => {
    if (fail) throw new Error('no');
  });
  await t.throwsAsync(async () => gathering.add('a', 1), { message: 'no' });
  t.is(gathering.reading()('a'), undefined);
  fail = false;
  await t.notThrowsAsync(async () => gathering.add('a', 2));
});
