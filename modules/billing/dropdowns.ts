import { dropdown } from '@keelson/core';

/** Payment methods (F-32). */
export const PaymentMethods = dropdown('payment_methods', {
  title: 'Payment methods',
  items: [
    { value: 'card', label: 'Card' },
    { value: 'ach', label: 'ACH' },
    { value: 'check', label: 'Check' },
    { value: 'cash', label: 'Cash' },
    { value: 'wire', label: 'Wire' },
    { value: 'other', label: 'Other' },
  ],
});

export default [PaymentMethods];
