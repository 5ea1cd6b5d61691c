// Large responses are written without blocking the event loop.
import test from 'ava';
import { jsonText as written } from '../../packages/kit/json-text.ts';
import { fc, properties } from '../_random.ts';

const testProp = properties(test);
const jsonText = async (value: unknown) => String(await written(value));

const lists = fc.array(fc.jsonValue(), { maxLength: 60, size: 'max' });

testProp(
  'the text is that of JSON.stringify',
  [
    fc.oneof(
      fc.jsonValue(),
      lists,
      fc.record({ success: fc.boolean(), data: fc.oneof(lists, fc.record({ rows: lists })) }),
    ),
  ],
  async (t, value) => {
    t.is(await jsonText(value), JSON.stringify(value));
  },
);

test('what JSON.stringify leaves out or writes as null is treated alike in long lists', async (t) => {
  const value = {
    gone: undefined,
    kept: Array.from({ length: 50 }, (_, i) => (i % 2 ? undefined : { i, gone: undefined })),
  };
  t.is(await jsonText(value), JSON.stringify(value));
  t.is(await jsonText(null), 'null');
  const bare = Object.assign(Object.create(null), { rows: value.kept });
  t.is(await jsonText(bare), JSON.stringify(bare));
});

test('40 MB of texts are written and encoded in turns with others', async (t) => {
  const text = '"\\\n<é'.repeat(13_000);
  const rows = Array.from({ length: 150 }, () => ({ description: text, notes: text, terms: text }));
  let turns = 0;
  let next = setImmediate(function count() {
    turns++;
    next = setImmediate(count);
  });
  const bytes = await written({ contracts: rows }).finally(() => clearImmediate(next));
  t.true(turns >= Math.floor(bytes.length / 3_000_000), `${turns} turns`);
  t.true(Buffer.isBuffer(bytes));
  t.is(String(bytes), JSON.stringify({ contracts: rows }));
});
