import { id, key, ref, table, text, when, type Row } from '@keelson/core';
import { Employee } from './employee.ts';

/** An additional email address of a contact. Mail from it is matched to them. It cannot be used to sign in. */
export const EmployeeAddress = table(
  'employee_address',
  {
    address_id: id(),
    employee_number: ref(Employee),
    email: text(254),
    email_key: key(254).unique().hidden(),
    created_at: when(),
  },
  [['employee_number', 'address_id']],
);
export type EmployeeAddress = Row<typeof EmployeeAddress>;
