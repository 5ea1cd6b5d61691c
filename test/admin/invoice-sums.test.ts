// The totals the console shows during editing match the server's.
import { fromMinor } from '@keelson/core';
import test from 'ava';
import { amountOf, sumsOf, type DraftLine } from '../../modules/billing/console/line-sums.ts';
import { sumsOf as storedSums, taxesOf } from '../../modules/billing/invoices/lines.ts';
import { fromRate, toParts, toRate } from '../../modules/billing/money.ts';
import { chance } from '../_random.ts';

const line = (given: Partial<DraftLine>): DraftLine => ({
  key: '',
  description: 'Work',
  quantity: '1',
  unit_price: '0',
  tax_rate: '',
  ...given,
});

test('client-side totals match the server’s, in currencies with 0, 2 and 3 decimals', (t) => {
  const decimal = (most: number, places: number) => (chance() * most).toFixed(Math.floor(chance() * (places + 1)));
  for (let round = 0; round < 500; round++) {
    const currency = ['JPY', 'USD', 'KWD'][round % 3] ?? 'USD';
    const rate = decimal(30, 4);
    const lines = Array.from({ length: 1 + Math.floor(chance() * 6) }, () =>
      line({
        quantity: decimal(100, 4),
        unit_price: decimal(1000, 6),
        tax_rate: chance() < 0.4 ? decimal(30, 2) : '',
        taxable: chance() < 0.9,
      }),
    );
    const tax_ppm = toRate(Number(rate));
    const stored = lines.map((each) => ({
      description: each.description,
      quantity_parts: toParts(each.quantity),
      unit_price: each.unit_price,
      taxable: each.taxable,
      tax_ppm: each.tax_rate === '' ? null : toRate(Number(each.tax_rate)),
    }));
    const wanted = storedSums(stored, { currency, tax_ppm });
    const taxes = taxesOf(stored, { currency, tax_ppm }).filter((each) => each.tax_ppm > 0);
    t.deepEqual(
      sumsOf(lines, rate, currency),
      {
        subtotal: fromMinor(wanted.subtotal_minor),
        taxes: taxes.map((each) => ({ rate: fromRate(each.tax_ppm), tax: fromMinor(each.tax_minor) })),
        total: fromMinor(wanted.total_minor),
      },
      JSON.stringify({ lines, rate, currency }),
    );
  }
});

test('a line without a valid price has no amount yet', (t) => {
  t.is(amountOf(line({ unit_price: '' }), 'USD'), undefined);
  t.is(amountOf(line({ unit_price: '1.2.3' }), 'USD'), undefined);
  t.is(amountOf(line({ unit_price: '1.2345678' }), 'USD'), undefined, 'more decimals than a price has');
  t.is(amountOf(line({ unit_price: '12,50', quantity: '' }), 'USD'), 12.5, 'a comma, and one of it');
  t.is(amountOf(line({ unit_price: '-0.005' }), 'USD'), -0.01);
});
