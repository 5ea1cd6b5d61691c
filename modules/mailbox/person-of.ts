// Lookup of people by mail address.
import { IsNull, normalised, type Context } from '@keelson/core';
import type { ActsFor } from '@keelson/modules/accounts';
import { findByAddress, Technician } from '@keelson/modules/directory';

/**
 * Returns the person with a mail address, be it a contact's first or a further one; a technician takes precedence over
 * a contact. Null for unknown addresses.
 */
export async function personOf(ctx: Context, address: string): Promise<ActsFor | null> {
  const email_key = normalised(address);
  const technician = await ctx.db.findOneBy(Technician, { email_key, active: true, deleted_at: IsNull() });
  if (technician) return { type: 'technician', id: technician.user_id };
  const employee = await findByAddress(ctx, address);
  return employee && { type: 'employee', id: employee.employee_number };
}
