import { job } from '@keelson/core';
import { expireProposals } from './proposals/decide.ts';
import { billSubscriptions } from './subscriptions/recurring.ts';

// The tenant's midnight may be at any hour of UTC: both find nothing to do when they come again.
export default [
  job('billing.expire-proposals', '* * * * *', expireProposals),
  job('billing.recurring', '10 * * * *', billSubscriptions),
];
