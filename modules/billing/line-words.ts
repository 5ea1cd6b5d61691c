// Misnamed fields that clients send because other formats use them. Ignoring them would change an amount, so they are
// rejected with the correct name, whereas other unknown fields are ignored (V-12).
import { z } from '@keelson/core';
import { dictionaryOf } from '@keelson/core/kit';

/** Error messages by field. */
type Words = object;

const use = (name: string) => `is not supported: use ${name}`;
const eachUse = (name: string, ...words: readonly string[]): Words =>
  Object.fromEntries(words.map((word) => [word, use(name)]));

const rate = eachUse('tax_rate', 'tax_percent', 'tax_percentage', 'vat', 'vat_rate', 'vat_percent', 'gst', 'sales_tax');
const discounts: readonly string[] = [
  'discount',
  'discount_percent',
  'discount_percentage',
  'discount_rate',
  'discount_amount',
  'rebate',
];
const discount: Words = Object.fromEntries(
  discounts.map((word) => [word, 'is not supported: add a line with a negative unit_price for a discount']),
);

const lineWords: Words = {
  ...eachUse('unit_price for the price per unit', 'price', 'unit_cost', 'rate', 'unit_amount', 'price_per_unit'),
  ...eachUse('quantity and unit_price', 'total', 'line_total', 'subtotal'),
  ...eachUse('tax_rate for the percentage', 'tax', 'tax_amount', 'vat_amount'),
  ...rate,
  ...discount,
  qty: use('quantity'),
  hours: use('quantity for hours'),
};

/** Error messages for invoice bodies. */
export const invoiceWords: Words = {
  ...rate,
  ...discount,
  ...eachUse('tax_rate for the percentage', 'tax', 'tax_amount', 'tax_total', 'vat_amount'),
  ...Object.fromEntries(['subtotal', 'total'].map((word) => [word, 'is not supported: it is computed from the lines'])),
  ...eachUse('issue_date', 'date', 'invoice_date', 'issued_at', 'issued_on'),
  ...eachUse('due_date', 'due', 'due_at', 'due_on', 'payment_terms', 'net_days', 'valid_until'),
  ...eachUse('invoice_number', 'number', 'invoice_no'),
  ...eachUse('currency', 'currency_code'),
  ...eachUse('notes', 'note', 'memo'),
  ...eachUse('POST /billing/payments.php', 'paid', 'deposit'),
  ...eachUse('POST /billing/subscriptions.php for recurring invoices', 'billing_cycle', 'recurring', 'interval'),
  ...Object.fromEntries(['shipping', 'shipping_cost', 'freight'].map((word) => [word, 'is not supported: add a line'])),
};

/** Error messages for bodies with `line_items`. */
export const linesWords: Words = eachUse('line_items', 'lines', 'items', 'line_item', 'products');

const fromTime = '?action=from-time to bill worked time';
/** Error messages for billing worked time, in forms that take lines. */
export const timeWords: Words = eachUse(fromTime, 'hourly_rate', 'period', 'time_entry_ids');

/** Returns the object schema `shape`, which rejects common misnamed line fields and those in `more`. */
export function lineObject<S extends z.ZodRawShape>(shape: S, more: Words = {}): z.ZodObject<S> {
  return refusing(z.object(shape), { ...lineWords, ...more });
}

/** Returns a request body schema that rejects these fields. */
export function bodyObject<S extends z.ZodRawShape>(shape: S, words: Words): z.ZodObject<S> {
  return refusing(z.object(shape), words);
}

/** Like bodyObject(), for changes. */
export function changesObject<S extends z.ZodRawShape>(shape: S, words: Words) {
  return refusing(z.object(shape).partial(), words).refine(
    (given) => Object.values(given).some((value) => value !== undefined),
    'No fields to update',
  );
}

function refusing<O extends z.ZodObject>(object: O, words: Words): O {
  const known = Object.keys(object.shape);
  // `taxRate` for `tax_rate`.
  const spelt = new Map(known.map((name) => [bare(name), name]));
  const refused = new Map(
    (Object.entries(words) as [string, string | undefined][]).flatMap(([word, message]) =>
      spelt.has(bare(word)) ? [] : [[bare(word), message]],
    ),
  );
  const strict = object
    .loose()
    .superRefine((sent: object, { addIssue }) => {
      for (const [word, value] of Object.entries(sent)) {
        if (value === undefined || value === null || known.includes(word)) continue;
        const name = spelt.get(bare(word));
        const message = name === undefined ? refused.get(bare(word)) : use(name);
        if (message !== undefined) addIssue({ code: 'custom', path: [word], message, continue: false });
      }
    })
    .overwrite((sent) => {
      const given = dictionaryOf(sent);
      return Object.fromEntries(
        known.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]),
      ) as typeof sent;
    });
  return strict as unknown as O;
}

const bare = (word: string): string => word.replace(/[_-]/g, '').toLowerCase();
