import { invalid, IsNull, type Context } from '@keelson/core';
import { signedOut } from '@keelson/core/system';
import { Employee, Technician } from '@keelson/modules/directory';
import type { Owner } from '../factors/factor.ts';
import { tryPassword } from '../sessions/guess.ts';

/** Requires the caller's password before a change to account protection. @throws invalid(), `too-many` */
export async function requireOwnPassword(ctx: Context, { kind, id, device }: Owner, password: string): Promise<void> {
  const person = await (kind === 'employee'
    ? ctx.db.findOneBy(Employee, { employee_number: id, deleted_at: IsNull() })
    : ctx.db.findOneBy(Technician, { user_id: id, deleted_at: IsNull() }));
  if (!person) throw signedOut();
  const hash = person.password_hash ?? undefined;
  const { ok } = await tryPassword(ctx, { kind, username: person.email, password, hash, device });
  if (!ok) throw invalid('Current password is incorrect');
}
