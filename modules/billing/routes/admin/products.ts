import {
  admin,
  administrators,
  change,
  created,
  findOr404,
  input,
  item,
  list,
  lock,
  nothing,
  pageOf,
  remove,
  showOne,
  z,
} from '@keelson/core';
import { moneyInput } from '../../money.ts';
import { ReadBilling, WriteBilling } from '../../permissions.ts';
import { billingCycles } from '../../products/entities.ts';
import { createProduct, ProductItem, Products } from '../../products/products.ts';

const required = { name: input.text(255), price: input.money({ min: 0 }) };
const optional = {
  description: input.optionalLongText(),
  vendor: input.optionalText(255),
  category: input.optionalText(255),
  currency: input.optional(moneyInput.currency()),
  billing_cycle: input.optional(input.choice(billingCycles)),
  active: input.optional(input.flag()),
};

export default [
  admin.get('/billing/products.php', {
    title: 'List products',
    access: ReadBilling,
    addition: true,
    query: admin.paging(ProductItem.query),
    returns: list(ProductItem),
    handle: (ctx, { query }) => pageOf(ctx, ProductItem, query),
  }),
  admin.post('/billing/products.php', {
    title: 'Create a product',
    access: administrators(WriteBilling),
    addition: true,
    body: z.object({ ...required, ...optional }),
    returns: created(ProductItem),
    handle: async (ctx, { body: { price, ...given } }) =>
      showOne(ctx, ProductItem, await createProduct(ctx, { ...given, price_minor: price })),
  }),
  admin.get('/billing/products.php?id={id}', {
    title: 'Read a product',
    access: ReadBilling,
    addition: true,
    returns: item(ProductItem),
    load: (ctx, { id }) => findOr404(ctx, Products, id),
    handle: (ctx, { item: product }) => showOne(ctx, ProductItem, product),
  }),
  admin.put('/billing/products.php?id={id}', {
    title: 'Update a product',
    access: administrators(WriteBilling),
    addition: true,
    body: input.changes({ ...required, ...optional }),
    returns: item(ProductItem),
    load: (ctx, { id }) => lock(ctx, Products, id),
    handle: async (ctx, { item: product, body: { price, ...wanted } }) =>
      showOne(ctx, ProductItem, await change(ctx, Products, product, { ...wanted, price_minor: price })),
  }),
  admin.delete('/billing/products.php?id={id}', {
    title: 'Delete a product',
    access: administrators(WriteBilling),
    addition: true,
    returns: nothing(),
    load: (ctx, { id }) => lock(ctx, Products, id),
    handle: (ctx, { item: product }) => remove(ctx, Products, product),
  }),
];
