// Lookup of people by email address.
import { IsNull, normalised, type Context } from '@keelson/core';
import type { ActsFor } from '@keelson/modules/accounts';
import { findByAddress, Technician } from '@keelson/modules/directory';

/**
 * Returns the person with an email address, which may be one of a contact's additional addresses. Technicians take
 * precedence over contacts. Null for unknown addresses.
 */
export async function personOf(ctx: Context, address: string): Promise<ActsFor | null> {
  const email_key = normalised(address);
  const technician = await ctx.db.findOneBy(Technician, { email_key, active: true, deleted_at: IsNull() });
  if (technician) return { type: 'technician', id: technician.user_id };
  const employee = await findByAddress(ctx, address);
  return employee && { type: 'employee', id: employee.employee_number };
}
