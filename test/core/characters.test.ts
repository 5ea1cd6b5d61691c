import test from 'ava';
import { cutTo } from '../../packages/kit/characters.ts';

test('text is truncated by characters, never inside one', (t) => {
  t.is(cutTo('abc', 3), 'abc');
  t.is(cutTo('abcd', 3), 'abc');
  t.is(cutTo('a😀b😀', 4), 'a😀b😀');
  t.is(cutTo('😀😀😀', 2), '😀😀');
});
