// Lines of an invoice that are edited while colleagues change them.
import test from 'ava';
import type { DraftLine } from '../../modules/billing/console/line-sums.ts';
import { mergeLines } from '../../modules/billing/console/merge-lines.ts';

const line = (description: string, given: Partial<DraftLine> = {}): DraftLine => ({
  key: description,
  description,
  quantity: '1',
  unit_price: '10',
  tax_rate: '',
  ...given,
});

test('lines that are not being edited follow what colleagues do', (t) => {
  const [a, b, c] = [line('a'), line('b'), line('c')];
  const own = line('own');
  const dearer = line('b', { unit_price: '20' });
  const travel = line('travel');
  t.deepEqual(mergeLines([a, b, own], [a, b], [a, dearer, travel]), [a, dearer, own, travel]);
  t.deepEqual(mergeLines([a, b, c], [a, b, c], [c]), [c]);
});

test('edited lines stay as they are, and removed ones stay removed', (t) => {
  const [a, b] = [line('a'), line('b')];
  const edited = line('a', { quantity: '3' });
  const theirs = line('a', { quantity: '2' });
  t.deepEqual(mergeLines([edited], [a, b], [theirs, b]), [edited]);
  t.deepEqual(mergeLines([edited, b], [a, b], [b]), [b], 'unless a colleague removed them');
});
