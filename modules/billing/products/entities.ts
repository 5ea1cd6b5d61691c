import { big, choice, flag, id, table, text, when, type Row } from '@keelson/core';

export const billingCycles = ['monthly', 'quarterly', 'annual'] as const;
export type BillingCycle = (typeof billingCycles)[number];

/** A product in the marketplace (F-36). */
export const Product = table(
  'marketplace_product',
  {
    product_id: id(),
    name: text(255),
    description: text().default(''),
    vendor: text(255).default(''),
    category: text(255).default(''),
    /** Price of one unit per billing cycle, in minor units (V-08). */
    price_minor: big(),
    currency: text(3),
    billing_cycle: choice(...billingCycles).default('monthly'),
    /** Inactive products are no longer sold (B-14). */
    active: flag().default(true),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['name', 'product_id', 'deleted_at'],
    ['active', 'name', 'product_id', 'deleted_at'],
    ['category', 'name', 'product_id', 'deleted_at'],
  ],
);
export type Product = Row<typeof Product>;
