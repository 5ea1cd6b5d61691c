import { admin, administrators, change, input, nounRoutes } from '@keelson/core';
import { moneyInput } from '../../money.ts';
import { ReadBilling, WriteBilling } from '../../permissions.ts';
import { billingCycles } from '../../products/entities.ts';
import { createProduct, ProductItem, Products } from '../../products/products.ts';

export default nounRoutes(admin, '/billing/products.php?id={id}', Products, {
  titles: {
    list: 'List products',
    create: 'Create a product',
    read: 'Read a product',
    update: 'Update a product',
    delete: 'Delete a product',
  },
  read: ReadBilling,
  write: administrators(WriteBilling),
  addition: true,
  view: ProductItem,
  fields: {
    name: input.text(255),
    price: moneyInput.amount({ min: 0 }),
    description: input.optionalLongText(),
    vendor: input.optionalText(255),
    category: input.optionalText(255),
    currency: input.optional(moneyInput.currency()),
    billing_cycle: input.optional(input.choice(billingCycles)),
    active: input.optional(input.flag()),
  },
  create: (ctx, { price, ...given }) => createProduct(ctx, { ...given, price_minor: price }),
  change: (ctx, product, { price, ...wanted }) => change(ctx, Products, product, { ...wanted, price_minor: price }),
});
