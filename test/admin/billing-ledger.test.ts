// Runs random sequences on invoices, payments, proposals and subscriptions, with crashes in between: sums of lines,
// payments and balances match the ledger, statements follow on from each other, numbers have no gaps, and no period is
// billed twice. BILLING_SEQUENCES sets the number.
import { sql } from '@keelson/core';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { sample } from '../_random.ts';
import { seedCompany } from '../accounts-seed.ts';
import { checkCompany, same } from './_ledger-checks.ts';
import { Crash, runJobs, sequence, take, type Step } from './_ledger-steps.ts';

const sequences = Number(process.env['BILLING_SEQUENCES'] ?? (process.env['FUZZ'] === '1' ? 5000 : 500));
/** Offset of the first sequence, so that several processes can split them. */
const first = Number(process.env['BILLING_FIRST'] ?? 0);
const BATCH = 20;
/** Sequences per database: it slows down as it fills. */
const PER_APP = 1000;
const START = '2026-03-02T09:00:00.000Z';

const kinds = new Map<string, number>();
const done = { taken: 0, refused: 0, crashed: 0 };

/** Runs a sequence, lets the jobs catch up, and checks the result. */
async function run(app: TestApp, steps: readonly Step[]): Promise<void> {
  app.clock.set(START);
  const { company_number } = await seedCompany(app);
  for (const each of steps) {
    try {
      await take({ app, company_number }, each);
      done.taken++;
      kinds.set(each.what.kind, (kinds.get(each.what.kind) ?? 0) + 1);
    } catch (error) {
      if (error instanceof Crash) done.crashed++;
      else if (error instanceof Error && 'kind' in error && ['invalid', 'conflict'].includes(String(error.kind)))
        done.refused++;
      else throw error;
    }
  }
  await runJobs(app);
  await checkCompany(app.app.database, company_number, app.clock.now().slice(0, 10));
  // Later sequences start before this one's due dates, so cancel its subscriptions.
  await app.app.database.run(sql`UPDATE subscription SET status = 'cancelled', next_billing_date = NULL
    WHERE company_number = ${company_number}`);
}

async function checkNumbers({ app }: TestApp): Promise<void> {
  const [numbers] = await app.database.query<{ n: unknown; last: unknown; different: unknown }>(
    sql`SELECT COUNT(*) AS n, COUNT(DISTINCT number_key) AS different, MAX(invoice_number) AS last FROM invoice`,
  );
  same(Number(numbers?.n), Number(numbers?.different));
  same(String(numbers?.last), `INV-${String(numbers?.n).padStart(6, '0')}`);
}

test.serial('the ledger matches invoices, proposals and subscriptions after every operation', async (t) => {
  for (let from = first; from < first + sequences; from += PER_APP) {
    const app = await openApp({ clock: testClock() });
    try {
      const end = Math.min(from + PER_APP, first + sequences);
      for (let batch = from; batch < end; batch += BATCH) {
        const all = sample(sequence, { count: Math.min(BATCH, end - batch), batch });
        for (const [i, steps] of all.entries())
          await run(app, steps).catch((cause: unknown) => {
            throw new Error(`sequence ${batch + i}: ${String(cause)}, ${JSON.stringify(steps)}`, { cause });
          });
      }
      await checkNumbers(app);
    } finally {
      await app.close();
    }
  }
  t.true(done.crashed > 0 && done.refused > 0);
  for (const each of ['decide', 'purchase', 'quantity', 'cancel', 'end', 'run'])
    t.true((kinds.get(each) ?? 0) > 0, each);
  t.log(`${sequences} sequences`, done, Object.fromEntries(kinds));
});
