import { event, z } from '@keelson/core';

/** Somebody who could approve a company's tickets no longer can: pending ones may have to be released (T-03). */
export const ApproversChanged = event('directory.approvers_changed', z.object({ company_number: z.int() }));
