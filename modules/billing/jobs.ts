import { job } from '@keelson/core';
import { markOverdue } from './invoices/overdue.ts';
import { expireProposals } from './proposals/decide.ts';
import { billSubscriptions } from './subscriptions/recurring.ts';

// The tenant's midnight may be at any hour of UTC; they find nothing to do when they come again.
export default [
  job('billing.overdue', '* * * * *', markOverdue),
  job('billing.expire-proposals', '* * * * *', expireProposals),
  job('billing.recurring', '10 * * * *', billSubscriptions),
];
