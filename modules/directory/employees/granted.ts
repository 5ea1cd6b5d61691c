// What decides how a person signs in and what they may do then. Changing contacts is not enough for it: a caller with that
// permission alone could set somebody's password and act as them.
import { forbidden, normalised, type Admin, type Context } from '@keelson/core';
import { Employee } from '../entities/employee.ts';
import { AccessContacts } from '../permissions.ts';

/** What a person may do on the portal. */
const rights = ['ismgr', 'it_privileges', 'can_create_tickets', 'can_view_billing', 'asset_edit'] as const;

type Wanted = Partial<Pick<Employee, (typeof rights)[number] | 'email' | 'status'>> & {
  readonly password?: string | undefined;
};

/**
 * Checks what the caller wants of a person's access.
 * @param before the person; undefined for a new one
 * @throws forbidden() naming the field, when it decides about access and the caller lacks contacts:access
 */
export function checkGranted({ actor }: Context<Admin>, before: Employee | undefined, wanted: Wanted): void {
  if (AccessContacts.allows(actor)) return;
  const field = grantingField(before, wanted);
  if (field !== undefined) throw forbidden(`${field} may be set with the permission contacts:access only`);
}

function grantingField(before: Employee | undefined, wanted: Wanted): string | undefined {
  if (wanted.password !== undefined) return 'password';
  if (before && wanted.email !== undefined && normalised(wanted.email) !== before.email_key) return 'email';
  if (before?.status === 'Inactive' && wanted.status === 'Active') return 'status';
  return rights.find((right) => {
    const value = wanted[right];
    if (value === undefined) return false;
    return value !== (before ? before[right] : Employee.columns[right].options.default);
  });
}
