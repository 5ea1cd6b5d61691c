import type { ConsoleSheet } from '@keelson/core';
import { ReadBilling, WriteBilling } from '../permissions.ts';

/** The pages of a single subscription and product. */
export const sheets: readonly ConsoleSheet[] = [
  {
    path: '/subscriptions/:id',
    title: 'Subscription',
    access: ReadBilling,
    read: 'GET /billing/subscriptions.php?id={id}',
    heading: 'name',
    facts: [
      'company_name',
      'status',
      'quantity',
      'unit_price',
      'amount',
      'billing_cycle',
      'start_date',
      'next_billing_date',
      'end_date',
    ],
    change: { operation: 'PUT /billing/subscriptions.php?id={id}', access: WriteBilling },
  },
  {
    path: '/marketplace/:id',
    title: 'Product',
    access: ReadBilling,
    read: 'GET /billing/products.php?id={id}',
    heading: 'name',
    facts: ['vendor', 'category', 'price', 'billing_cycle', 'active'],
    texts: ['description'],
    change: { operation: 'PUT /billing/products.php?id={id}', access: WriteBilling },
    remove: { operation: 'DELETE /billing/products.php?id={id}', access: WriteBilling },
    acts: [
      {
        title: 'Buy for a customer',
        operation: 'POST /billing/marketplace.php',
        access: WriteBilling,
        fields: ['product_id', 'company_number', 'quantity'],
      },
    ],
  },
];
