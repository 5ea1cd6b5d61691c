// The products of the marketplace (NW-09).
import {
  by,
  changeAll,
  create,
  fromMinor,
  In,
  record,
  searched,
  view,
  z,
  type Context,
  type Given,
} from '@keelson/core';
import { readCurrency } from '@keelson/core/plugin';
import { checkAmount, unitOf } from '../money.ts';
import { Subscription } from '../subscriptions/entities.ts';
import { Subscriptions } from '../subscriptions/subscriptions.ts';
import { Product } from './entities.ts';

export const Products = record(Product, {
  title: 'Product',
  type: 'product',
  call: ({ name }) => name,
  filters: (its) => ({
    active: its.is('active'),
    category: its.is('category'),
    search: searched(Product),
  }),
  sorts: { name: by('name') },
  order: 'asc',
  prepare(_ctx, { price_minor, currency }) {
    // Amounts in cents of a currency without decimals are rounded on invoices.
    if (price_minor % unitOf('USD') !== 0) checkAmount('price', price_minor, currency);
  },
  /** Unlinks its subscriptions, which have a name and price of their own (V-26). */
  async removed(ctx, products) {
    const product_id = products.map((each) => each.product_id);
    const bought = await ctx.db.find(Subscription, {
      where: { product_id: In(product_id) },
      lock: { mode: 'pessimistic_write' },
    });
    await changeAll(ctx, Subscriptions, bought, { product_id: null });
  },
});

/** A product as the marketplace shows it (F-36). */
export const ProductItem = view(Products, {
  except: ['price_minor'],
  more: (its) => ({ price: its.from(z.number(), ['price_minor'], ({ price_minor }) => fromMinor(price_minor)) }),
});

export type NewProduct = Omit<Given<typeof Products>, 'currency'> & {
  /** Defaults to the tenant's currency. */
  readonly currency?: string | undefined;
};

export async function createProduct(ctx: Context, { currency, ...given }: NewProduct): Promise<Product> {
  return create(ctx, Products, { ...given, currency: currency ?? (await readCurrency(ctx)) });
}
