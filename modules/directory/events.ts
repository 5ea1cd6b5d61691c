import { event, z } from '@keelson/core';

/** A person can no longer approve a company's tickets: pending ones may have to be released (T-03). */
export const ApproversChanged = event('directory.approvers_changed', z.object({ company_number: z.int() }));

/** A contact was deleted: their access, and everything in their name, ends (D-06, V-25). */
export const EmployeeDeleted = event(
  'directory.employee_deleted',
  z.object({ employee_number: z.int(), company_number: z.int() }),
);

/** A technician was deactivated or deleted: what they were working on is free for others. */
export const TechnicianLeft = event('directory.technician_left', z.object({ user_id: z.int() }));
