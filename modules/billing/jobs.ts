import { job } from '@keelson/core';
import { markOverdue } from './invoices/overdue.ts';
import { expireProposals } from './proposals/decide.ts';
import { billSubscriptions } from './subscriptions/recurring.ts';

// Run throughout the day, since the tenant's midnight may be at any UTC hour. Repeated runs find nothing to do.
export default [
  job('billing.overdue', '* * * * *', markOverdue),
  job('billing.expire-proposals', '* * * * *', expireProposals),
  job('billing.recurring', '10 * * * *', billSubscriptions),
];
