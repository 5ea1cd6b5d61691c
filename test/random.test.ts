import test from 'ava';
import { chance, chooseSeed, fc, sample, seed } from './_random.ts';

test('the seed is fixed unless FUZZ overrides it, and a printed one can be repeated', (t) => {
  t.is(chooseSeed({}), chooseSeed({}));
  t.is(chooseSeed({ FUZZ: '0' }), chooseSeed({}));
  t.is(chooseSeed({ FUZZ: '1', FUZZ_SEED: '42' }), 42);
  const drawn = new Set(Array.from({ length: 20 }, () => chooseSeed({ FUZZ: '1' })));
  t.true(drawn.size > 1);
  for (const wrong of ['', 'x', '1.5']) t.throws(() => chooseSeed({ FUZZ_SEED: wrong }), { message: /whole number/ });
});

test('properties start from that seed, and every batch of cases can be reproduced', (t) => {
  t.is(fc.readConfigureGlobal().seed, seed);
  const drawn = (batch: number) => sample(fc.string(), { count: 20, batch });
  t.deepEqual(drawn(3), drawn(3));
  t.notDeepEqual(drawn(3), drawn(4));
  const moments = Array.from({ length: 1000 }, chance);
  t.true(moments.every((each) => each >= 0 && each < 1));
  const mean = moments.reduce((sum, each) => sum + each, 0) / moments.length;
  t.true(mean > 0.4 && mean < 0.6);
});
