// Every random test draws its cases through this file, all of them from one seed. It is fixed, so that a run fails only
// for what was changed; `FUZZ=1` draws another one, and `FUZZ_SEED=…` repeats the seed that such a run printed.
import { fc, testProp } from '@fast-check/ava';
import type { ExecutionContext } from 'ava';

export { fc, testProp };

const FIXED_SEED = 20_261_121;

/** The seed of this run. `testProp` puts it into the test's title. */
export const seed = chooseSeed(process.env);
fc.configureGlobal({ seed });

/** Fails unless the property holds for every case, inside a test that also does something else. */
export async function assertProperty<Ts>(
  t: ExecutionContext,
  property: fc.IRawProperty<Ts>,
  { numRuns = 100 }: { readonly numRuns?: number } = {},
): Promise<void> {
  t.log(`seed ${seed}`);
  await fc.assert(property, { numRuns });
}

/** `count` cases; each batch of a run has its own, which its number repeats. */
export function sample<T>(arbitrary: fc.Arbitrary<T>, { count, batch }: { count: number; batch: number }): T[] {
  return fc.sample(arbitrary, { seed: seed + batch, numRuns: count });
}

const drawn = { state: seed };

/** The next number in [0, 1), for tests that choose moments: the same ones in every run from the same seed (mulberry32). */
export function chance(): number {
  drawn.state = (drawn.state + 0x6d2b79f5) | 0;
  let n = Math.imul(drawn.state ^ (drawn.state >>> 15), drawn.state | 1);
  n ^= n + Math.imul(n ^ (n >>> 7), n | 61);
  return ((n ^ (n >>> 14)) >>> 0) / 2 ** 32;
}

export function chooseSeed(env: Readonly<Record<string, string | undefined>>): number {
  const wanted = env['FUZZ_SEED'];
  if (wanted === undefined) return env['FUZZ'] === '1' ? Math.floor(Math.random() * 2 ** 31) : FIXED_SEED;
  if (!/^-?\d{1,10}$/.test(wanted)) throw new Error('FUZZ_SEED must be the whole number that a run printed');
  return Number(wanted);
}
