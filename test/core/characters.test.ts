import test from 'ava';
import { cutTo } from '../../core/kit/characters.ts';

test('a text is cut after so many characters, never in the middle of one', (t) => {
  t.is(cutTo('abc', 3), 'abc');
  t.is(cutTo('abcd', 3), 'abc');
  t.is(cutTo('a😀b😀', 4), 'a😀b😀');
  t.is(cutTo('😀😀😀', 2), '😀😀');
});
