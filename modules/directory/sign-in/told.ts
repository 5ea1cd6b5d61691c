// Mails people about changes to their sign-in details, so that they notice changes they did not make.
import { sendMail, z, type Context } from '@keelson/core';
import { slot, worded, type Spoken } from '@keelson/core/plugin';
import { employeeName } from '@keelson/core/surfaces';
import type { Employee } from '../entities/employee.ts';
import type { Technician } from '../entities/technician.ts';
import { PasswordChanged, SecurityChange } from '../mail-templates.ts';

type EmployeeName = Pick<Employee, 'first_name' | 'last_name' | 'email'>;
type TechnicianName = Pick<typeof Technician.Row, 'name' | 'email'>;

/** Returns whether employees can sign in with an identity provider, by employee number. */
export const HasIdentity = slot('employee.has-identity', z.boolean(), false);

/** Stores a mail to an employee in the transaction. @param change a sentence: `Your password was changed.` */
export function tellEmployee(ctx: Context, employee: EmployeeName, change: Spoken): void {
  tell(ctx, employeeName(employee), employee.email, change);
}

/** Stores a mail to a technician the same way. */
export function tellTechnician(ctx: Context, { name, email }: TechnicianName, change: Spoken): void {
  tell(ctx, name, email, change);
}

/** Mails the owner of an account that its password was changed. */
export function tellPassword(ctx: Context, name: string, address: string): void {
  if (address !== '') sendMail(ctx, PasswordChanged, { to: { name, address }, data: {} });
}

/** Returns the sentence about an address change. Both mailboxes get it: the owner may still read only the old one. */
export function addressChange(before: string, after: string): Spoken {
  return worded('Your sign-in email was changed from {before} to {after}.', { before, after });
}

function tell(ctx: Context, name: string, address: string, change: Spoken): void {
  if (address !== '') sendMail(ctx, SecurityChange, { to: { name, address }, data: { change } });
}
