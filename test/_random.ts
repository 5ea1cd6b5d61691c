// Generates the cases of every random test from one seed. The seed is fixed, so that a run fails only because of a
// change; `FUZZ=1` picks a new one, and `FUZZ_SEED=…` repeats the seed such a run printed.
import type { ExecutionContext, TestFn } from 'ava';
import fc from 'fast-check';

export { fc };

const FIXED_SEED = 20_261_121;

/** The seed of this run. */
export const seed = chooseSeed(process.env);
// AVA does not print what caused an error.
fc.configureGlobal({ seed, includeErrorInReport: true });

/** Fails unless the property holds for every case, within a test that also does other work. */
export async function assertProperty<Ts>(
  t: ExecutionContext,
  property: fc.IRawProperty<Ts>,
  { numRuns = 100 }: { readonly numRuns?: number } = {},
): Promise<void> {
  t.log(`seed ${seed}`);
  await fc.assert(property, { numRuns });
}

type Values<F> = F extends (t: ExecutionContext, ...values: infer Ts) => unknown ? Ts : never;

type Declare = <Ts extends [unknown, ...unknown[]]>(
  title: string,
  arbitraries: { readonly [K in keyof Ts]: fc.Arbitrary<Ts[K]> },
  holds: (t: ExecutionContext, ...values: Ts) => unknown,
  options?: { readonly numRuns?: number; readonly examples?: readonly Ts[] },
) => void;

/** Declares property tests among a file's other tests. A failure shows the smallest failing case. */
export function properties(test: TestFn): Declare & { readonly serial: Declare } {
  const declare =
    (through: TestFn | TestFn['serial']): Declare =>
    (title, arbitraries, holds, { examples = [], ...options } = {}) =>
      through(`${title} (seed ${seed})`, async (t) => {
        const cases = fc.tuple(...arbitraries) as unknown as fc.Arbitrary<Values<typeof holds>>;
        const property = fc.asyncProperty(cases, async (values) => {
          // Discard failures during shrinking, so that the report shows only the smallest case.
          let left: unknown;
          const attempt = await t.try(async (each) => {
            try {
              await holds(each, ...values);
            } catch (error) {
              if (!fc.PreconditionFailure.isFailure(error)) throw error;
              left = error;
            }
          });
          if (attempt.passed) return attempt.commit();
          attempt.discard();
          if (left !== undefined) throw left;
          throw attempt.errors[0];
        });
        await fc.assert(property, { ...options, examples: examples.map((each) => [each as Values<typeof holds>]) });
      });
  return Object.assign(declare(test), { serial: declare(test.serial) });
}

/** Runs every case: `npm run test:full`. */
export const full = process.env['TESTS'] === 'full';

/** Milliseconds that an exhaustive test may take with the cases of its run, on a machine that does other work as well. */
export const exhaustiveMs = full ? 3_000_000 : 300_000;

/** Returns all of `cases` in a full run, otherwise a tenth of them, selected by the seed. */
export function tenth<T>(cases: readonly T[]): T[] {
  return full
    ? [...cases]
    : (fc.sample(
        fc.shuffledSubarray([...cases], {
          minLength: Math.ceil(cases.length / 10),
          maxLength: Math.ceil(cases.length / 10),
        }),
        { seed, numRuns: 1 },
      )[0] ?? []);
}

/** Returns `count` cases; the batch number selects a reproducible set within a run. */
export function sample<T>(arbitrary: fc.Arbitrary<T>, { count, batch }: { count: number; batch: number }): T[] {
  return fc.sample(arbitrary, { seed: seed + batch, numRuns: count });
}

const drawn = { state: seed };

/** Returns the next number in [0, 1) for tests with random timing: the same sequence for the same seed (mulberry32). */
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
