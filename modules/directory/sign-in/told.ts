// Tells people by mail what has changed about how they sign in, so that they notice what they have not done themselves.
import { sendMail, type Context } from '@keelson/core';
import { employeeName } from '@keelson/core/surfaces';
import type { Employee } from '../entities/employee.ts';
import type { Technician } from '../entities/technician.ts';
import { PasswordChanged, SecurityChange } from '../mail-templates.ts';

type EmployeeName = Pick<Employee, 'first_name' | 'last_name' | 'email'>;
type TechnicianName = Pick<typeof Technician.Row, 'name' | 'email'>;

/** Stores the mail to an employee with the transaction. @param change a sentence: `Your password was changed.` */
export function tellEmployee(ctx: Context, employee: EmployeeName, change: string): void {
  tell(ctx, employeeName(employee), employee.email, change);
}

/** The same to a technician. */
export function tellTechnician(ctx: Context, { name, email }: TechnicianName, change: string): void {
  tell(ctx, name, email, change);
}

/** Tells the owner of an account that its password is another one. */
export function tellPassword(ctx: Context, name: string, address: string): void {
  if (address !== '') sendMail(ctx, PasswordChanged, { to: { name, address }, data: {} });
}

/** After a change of the address both mailboxes are told: the old one may be all that the owner still reads. */
export function addressChange(before: string, after: string): string {
  return `The e-mail address that you sign in with was changed from ${before} to ${after}.`;
}

function tell(ctx: Context, name: string, address: string, change: string): void {
  if (address !== '') sendMail(ctx, SecurityChange, { to: { name, address }, data: { change } });
}
