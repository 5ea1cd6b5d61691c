import { job } from '@keelson/core';
import { markOverdue } from './invoices/overdue.ts';
import { expireProposals } from './proposals/decide.ts';
import { billSubscriptions } from './subscriptions/recurring.ts';

// Run throughout the day, since the tenant's midnight may be at any UTC hour. Repeated runs find nothing to do.
export default [
  job('billing.overdue', '* * * * *', markOverdue, { title: 'Mark overdue invoices' }),
  job('billing.expire-proposals', '* * * * *', expireProposals, { title: 'Expire proposals' }),
  job('billing.recurring', '10 * * * *', billSubscriptions, { title: 'Invoice subscriptions' }),
];
