// Kills the run of recurring invoices at random moments and restarts it: each period is billed once (B-40).
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '@keelson/core';
import { theSystem } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import { createProduct, purchase } from '@keelson/modules/billing';
import { createCompany } from '@keelson/modules/directory';
import test from 'ava';
import { chance, seed } from '../_random.ts';
import { startNode } from './_node.ts';
import { amount, engine, makePlace, type Place } from './_place.ts';

const KILLS = amount(3, 20);
/** Time limit for the kills on a slow machine, whatever their number. */
const LONGEST_MS = amount(8000, 40_000);
const COMPANIES = 60;
const MONTHS = 14;

test.serial(`a recurring invoice run that is killed and repeated bills no period twice (${engine})`, async (t) => {
  t.log(`seed ${seed}`);
  const place = await makePlace(t);
  await place.open(buy);
  const begun = performance.now();
  let kills = 0;
  for (; kills < KILLS && performance.now() - begun < LONGEST_MS; kills++) {
    const node = startRun(t, place);
    await node.started;
    await sleep(chance() * 150);
    await node.end('SIGKILL');
    await place.alone();
    t.deepEqual(await faults(place), []);
  }
  const [{ n: before } = { n: 0 }] = await place.ask('SELECT COUNT(*) AS n FROM subscription_period');
  // Two runs at once, to completion.
  const codes = await Promise.all([startRun(t, place), startRun(t, place)].map((each) => each.done));
  t.deepEqual(codes, [0, 0]);
  t.deepEqual(await faults(place), []);
  const [{ n: subscriptions } = { n: 0 }] = await place.ask('SELECT COUNT(*) AS n FROM subscription');
  const [{ n: periods } = { n: 0 }] = await place.ask('SELECT COUNT(*) AS n FROM subscription_period');
  t.is(Number(periods), Number(subscriptions) * MONTHS);
  t.log(`${engine}: ${kills} kills, ${before} of ${periods} periods were billed before the last run`);
});

/** Creates subscriptions that start on the last day of January, one per company. */
async function buy(app: App): Promise<void> {
  const then = contextOf({ app, actor: undefined, author: theSystem, now: '2025-01-31T09:00:00.000Z' });
  const { product_id } = await then.transaction((ctx) => createProduct(ctx, { name: 'Backup', price_minor: 19_990 }));
  for (let i = 0; i < COMPANIES; i++)
    await then.transaction(async (ctx) => {
      const { company_number } = await createCompany(ctx, { customer: `Payer ${i}` });
      await purchase(ctx, { product_id, company_number, quantity: i + 1 });
    });
}

/** Starts a run at the start of the last month. */
function startRun(t: Parameters<typeof startNode>[0], place: Place) {
  const node = startNode(t, place, 0, ['test/faults/_billing-run.ts', '2026-02-28T09:00:00.000Z']);
  const done = new Promise<number | null>((resolve) => node.child.once('exit', (code) => resolve(code)));
  const started = Promise.race([
    done,
    new Promise<void>((resolve) => {
      node.child.stdout?.on('data', (text: string) => (text.includes('started') ? resolve() : undefined));
    }),
  ]);
  return { ...node, done, started };
}

/** Returns inconsistencies as sentences. */
async function faults(place: Place): Promise<string[]> {
  const lines = await place.ask(`SELECT invoice_line.source_id, invoice_line.period_start, COUNT(*) AS n,
      MIN(subscription_period.invoice_id = invoice_line.invoice_id) AS fits
    FROM invoice_line LEFT JOIN subscription_period ON subscription_period.subscription_id = invoice_line.source_id
      AND subscription_period.period_start = invoice_line.period_start
    GROUP BY invoice_line.source_id, invoice_line.period_start`);
  const periods = await place.ask(
    'SELECT subscription_id, COUNT(*) AS n FROM subscription_period GROUP BY subscription_id',
  );
  const counted = await place.ask('SELECT subscription_id, periods_billed AS n FROM subscription');
  const invoices = await place.ask(`SELECT invoice.invoice_id, invoice.invoice_number, invoice.total_minor AS total,
      (SELECT SUM(amount_minor) FROM invoice_line WHERE invoice_line.invoice_id = invoice.invoice_id) AS sum
    FROM invoice ORDER BY invoice.invoice_number`);
  const billed = new Map(periods.map((each) => [each['subscription_id'], Number(each['n'])]));
  return [
    ...lines
      .filter((each) => Number(each['n']) !== 1 || Number(each['fits']) !== 1)
      .map((each) => `${each['n']} lines of ${each['source_id']} for ${each['period_start']}`),
    ...counted
      .filter((each) => billed.get(each['subscription_id']) !== Number(each['n']))
      .map((each) => `subscription ${each['subscription_id']} counts ${each['n']} periods`),
    ...invoices
      .filter(
        (each, i) =>
          Number(each['total']) !== Number(each['sum']) || !String(each['invoice_number']).endsWith(String(i + 1)),
      )
      .map((each) => `invoice ${each['invoice_number']} is over ${each['total']}, its lines ${each['sum']}`),
    ...(lines.length === periods.reduce((sum, each) => sum + Number(each['n']), 0) ? [] : ['lines without a period']),
  ];
}
