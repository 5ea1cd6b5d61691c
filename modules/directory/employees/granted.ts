// Guards the fields that determine how a person signs in and what they may do. The permission to change contacts is not
// enough: that caller could set a person's password and act as them.
import { forbidden, normalised, type Admin, type Context } from '@keelson/core';
import { Employee } from '../entities/employee.ts';
import { AccessContacts } from '../permissions.ts';

/** A person's rights on the portal. */
export const rights = ['ismgr', 'it_privileges', 'can_create_tickets', 'can_view_billing', 'asset_edit'] as const;

type Wanted = Partial<Pick<Employee, (typeof rights)[number] | 'email' | 'status'>> & {
  readonly password?: string | undefined;
};

/**
 * Checks that the caller may change a person's access.
 * @param before the person; undefined for a new one
 * @throws forbidden() naming the field, when it affects access and the caller lacks contacts:access
 */
export function checkGranted({ actor }: Context<Admin>, before: Employee | undefined, wanted: Wanted): void {
  if (AccessContacts.allows(actor)) return;
  const field = grantingField(before, wanted);
  if (field !== undefined) throw forbidden(`${field} requires the permission contacts:access`);
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
