// Lists (F-66) of modules that do not exist yet; each will move to its module.
import { dropdown } from '@keelson/core';

/** Of the billing module (F-32). */
const PaymentMethods = dropdown('payment_methods', {
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
