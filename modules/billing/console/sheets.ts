import type { ConsoleSheet } from '@keelson/core';
import { ReadBilling, WriteBilling } from '../permissions.ts';

/** The page of a single product. */
export const sheets: readonly ConsoleSheet[] = [
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
        title: 'Purchase for customer',
        operation: 'POST /billing/marketplace.php',
        access: WriteBilling,
        fields: ['product_id', 'company_number', 'quantity'],
      },
    ],
  },
];
