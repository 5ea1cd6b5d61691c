import { job } from '@keelson/core';
import { advanceStatuses } from './expiry/advance.ts';
import { warnOfEnds } from './expiry/expiry.ts';

// Run often, because the tenant's midnight can be at any UTC hour. Repeated runs do nothing.
export default [
  job('inventory.statuses', '* * * * *', advanceStatuses, { title: 'Update contract and license statuses' }),
  job('inventory.expiry', '5 * * * *', warnOfEnds, { title: 'Warn of expiring contracts, licenses and domains' }),
];
