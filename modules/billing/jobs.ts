import { job } from '@keelson/core';
import { markOverdue } from './invoices/overdue.ts';

// The tenant's midnight may be at any hour of UTC; it finds nothing to do when it comes again.
export default [job('billing.overdue', '* * * * *', markOverdue)];
