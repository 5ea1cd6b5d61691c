import { job } from '@keelson/core';
import { advanceStatuses } from './expiry/advance.ts';
import { warnOfEnds } from './expiry/expiry.ts';

// The tenant's midnight may be at any hour of UTC: both find nothing to do when they come again.
export default [
  job('inventory.statuses', '* * * * *', advanceStatuses),
  job('inventory.expiry', '5 * * * *', warnOfEnds),
];
