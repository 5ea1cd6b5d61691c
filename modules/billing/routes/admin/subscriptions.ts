import {
  admin,
  administrators,
  all,
  created,
  findOr404,
  input,
  item,
  list,
  pageOf,
  param,
  show,
  showOne,
  z,
} from '@keelson/core';
import { InvoiceItem } from '../../invoices/invoice-list.ts';
import { bodyObject, changesObject, invoiceWords, lineObject, linesWords } from '../../line-words.ts';
import { moneyInput } from '../../money.ts';
import { ReadBilling, WriteBilling } from '../../permissions.ts';
import { billingCycles } from '../../products/entities.ts';
import { ProductItem } from '../../products/products.ts';
import { createSubscriptions } from '../../subscriptions/create.ts';
import { BilledPeriod, NextInvoice, readBilledPeriods, readNextInvoice } from '../../subscriptions/history.ts';
import { changeInvoiceSettings, InvoiceSettings, readInvoiceSettings } from '../../subscriptions/invoice-settings.ts';
import { purchase } from '../../subscriptions/purchase.ts';
import { active, SubscriptionItem, SubscriptionNoun } from '../../subscriptions/subscription-list.ts';
import { lockSubscription, updateSubscription } from '../../subscriptions/subscriptions.ts';

const quantity = input.int(1, 1_000_000);
const MOST_LINES = 100;
const line = lineObject({
  product_id: input.optional(input.id()),
  name: input.text(255),
  quantity: quantity.default(1),
  unit_price: moneyInput.amount({ min: 0 }),
  tax_rate: input.optional(moneyInput.rate()),
  billing_cycle: input.choice(billingCycles).default('monthly'),
}).transform(({ unit_price, tax_rate, ...each }) => ({ ...each, unit_price_minor: unit_price, tax_ppm: tax_rate }));
const onLines = 'is not supported: set it on the lines';
// The cycle is part of the response, which can be sent back.
const subscriptionWords = { ...invoiceWords, billing_cycle: undefined };
const range = `must be 1 to ${MOST_LINES} lines`;
const lines = z.array(line).min(1, range).max(MOST_LINES, range);
const Pagination = z.object({ page: z.int(), per_page: z.int(), total: z.int(), total_pages: z.int() });

const paginationOf = ({ page, size }: { page: number; size: number }, total: number): z.infer<typeof Pagination> => ({
  page,
  per_page: size,
  total,
  total_pages: Math.ceil(total / size),
});

export default [
  admin.get('/billing/subscriptions.php', {
    title: 'List subscriptions',
    access: ReadBilling,
    query: admin.paging(SubscriptionItem.query),
    returns: list(SubscriptionItem),
    handle: (ctx, { query }) =>
      pageOf(ctx, SubscriptionItem, query, { where: query.status === undefined ? [active] : [] }),
  }),
  admin.get('/billing/subscriptions.php?id={id}', {
    title: 'Read a subscription',
    access: ReadBilling,
    addition: true,
    returns: item(SubscriptionItem),
    load: (ctx, { id }) => findOr404(ctx, SubscriptionNoun, id),
    handle: (ctx, { item: subscription }) => showOne(ctx, SubscriptionItem, subscription),
  }),
  admin.post('/billing/subscriptions.php', {
    title: 'Create subscriptions',
    access: administrators(WriteBilling),
    addition: true,
    body: bodyObject(
      {
        company_number: input.id(),
        start_date: input.optional(input.day()),
        end_date: input.optional(input.clearable(input.day())),
        currency: input.optional(moneyInput.currency()),
        line_items: lines,
      },
      {
        ...invoiceWords,
        ...linesWords,
        tax_rate: onLines,
        billing_cycle: onLines,
        interval: 'is not supported: use billing_cycle of the lines',
      },
    ),
    returns: created(z.object({ subscriptions: z.array(SubscriptionItem.shape).readonly() })),
    handle: async (ctx, { body: { line_items, ...given } }) => ({
      subscriptions: await show(ctx, SubscriptionItem, await createSubscriptions(ctx, { ...given, lines: line_items })),
    }),
  }),
  admin.get('/billing/subscriptions.php?action=periods&id={id}', {
    title: 'List the periods that a subscription has billed',
    access: ReadBilling,
    addition: true,
    returns: all(BilledPeriod),
    load: (ctx, { id }) => findOr404(ctx, SubscriptionNoun, id),
    handle: (ctx, { item: subscription }) => readBilledPeriods(ctx, subscription),
  }),
  admin.get('/billing/subscriptions.php?action=next&id={id}', {
    title: 'Read the next invoice of a subscription',
    access: ReadBilling,
    addition: true,
    returns: item(NextInvoice),
    load: (ctx, { id }) => findOr404(ctx, SubscriptionNoun, id),
    handle: (ctx, { item: subscription }) => readNextInvoice(ctx, subscription),
  }),
  admin.put('/billing/subscriptions.php?id={id}', {
    title: 'Change or cancel a subscription',
    access: administrators(WriteBilling),
    addition: true,
    body: changesObject(
      {
        quantity,
        status: input.choice(['active', 'paused', 'cancelled']),
        end_date: input.clearable(input.day()),
        unit_price: moneyInput.amount({ min: 0 }),
        price_from: input.day(),
        next_price: input.clearable(moneyInput.amount({ min: 0 })),
        next_price_from: input.clearable(input.day()),
        tax_rate: input.clearable(moneyInput.rate()),
      },
      { ...subscriptionWords, price: 'is not supported: use unit_price' },
    ),
    returns: item(SubscriptionItem),
    load: (ctx, { id }) => lockSubscription(ctx, id),
    async handle(ctx, { item: subscription, body: { unit_price, next_price, tax_rate, ...wanted } }) {
      const update = { ...wanted, unit_price_minor: unit_price, next_price_minor: next_price, tax_ppm: tax_rate };
      return showOne(ctx, SubscriptionItem, await updateSubscription(ctx, subscription, update));
    },
  }),
  admin.get('/billing/subscription-invoices.php', {
    title: 'Read subscription invoice settings',
    access: ReadBilling,
    addition: true,
    returns: item(InvoiceSettings),
    handle: (ctx) => readInvoiceSettings(ctx),
  }),
  admin.put('/billing/subscription-invoices.php', {
    title: 'Update subscription invoice settings',
    access: administrators(WriteBilling),
    addition: true,
    body: input.changes({ status: input.choice(['draft', 'sent']), tax_rate: moneyInput.rate() }),
    returns: item(InvoiceSettings),
    handle: (ctx, { body: { status, tax_rate } }) => changeInvoiceSettings(ctx, { status, tax_ppm: tax_rate }),
  }),
  admin.get('/billing/marketplace.php', {
    title: 'List the marketplace’s products and subscriptions',
    access: ReadBilling,
    query: admin.paging({ company_number: param.id() }, { whole: true }),
    returns: item(
      z.object({
        products: z.array(ProductItem.shape).readonly(),
        subscriptions: z.array(SubscriptionItem.shape).readonly(),
        pagination: z.object({ products: Pagination, subscriptions: Pagination }),
      }),
    ),
    async handle(ctx, { query }) {
      const { company_number, page, size } = query;
      const products = await pageOf(ctx, ProductItem, { page, size });
      const subscriptions = await pageOf(ctx, SubscriptionItem, { company_number, page, size }, { where: [active] });
      return {
        products: products.rows,
        subscriptions: subscriptions.rows,
        pagination: {
          products: paginationOf(query, products.total),
          subscriptions: paginationOf(query, subscriptions.total),
        },
      };
    },
  }),
  admin.post('/billing/marketplace.php', {
    title: 'Purchase a product',
    access: administrators(WriteBilling),
    body: bodyObject(
      { product_id: input.id(), company_number: input.id(), quantity: input.optional(quantity) },
      Object.fromEntries(
        ['unit_price', 'price', 'discount', 'tax_rate', 'billing_cycle', 'start_date', 'end_date', 'currency'].map(
          (word) => [word, 'is not supported: use POST /billing/subscriptions.php for terms other than the product’s'],
        ),
      ),
    ),
    returns: created(SubscriptionItem.shape.extend({ invoice: InvoiceItem.shape })),
    async handle(ctx, { body }) {
      const { subscription, invoice } = await purchase(ctx, body);
      return {
        ...(await showOne(ctx, SubscriptionItem, subscription)),
        invoice: await showOne(ctx, InvoiceItem, invoice),
      };
    },
  }),
];
