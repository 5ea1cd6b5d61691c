// Forgotten passwords. The response and its timing must not reveal whether the account exists, so all work happens in
// the background.
import { IsNull, normalised, sendMail, type Context } from '@keelson/core';
import { tooMany } from '@keelson/core/kit';
import { addressBucket } from '@keelson/core/system';
import { Company, Employee, passwordAccount, Technician } from '@keelson/modules/directory';
import { inBackground } from '../background.ts';
import { PasswordReset } from '../mail-templates.ts';
import {
  employeePerson,
  createLink,
  setPasswordByLink,
  technicianPerson,
  type Person,
  wereSentOften,
} from './account-link.ts';
import { untilWhen } from './invitation.ts';

export const RESET_PATHS = { technician: '/admin/reset-password', employee: '/helpdesk/reset-password' } as const;

export const FORGOTTEN_PATHS = { technician: '/admin/forgotten', employee: '/helpdesk/forgotten' } as const;

const PER_MINUTE = 5;

/** Mails a link to the stored address of an account that has a password. @throws `too-many` */
export async function requestReset(ctx: Context, kind: Person['kind'], email: string): Promise<void> {
  const { allowed, retryAfter } = await ctx.app.limiter.take(`reset:${addressBucket(ctx.request.ip)}`, PER_MINUTE);
  if (!allowed) throw tooMany(retryAfter);
  inBackground(ctx.app, async () => {
    const person = await findPerson(ctx, kind, email);
    if (person?.hasPassword) await ctx.transaction((inside) => sendLink(inside, person));
  });
}

/** Sets a new password with a link. Returns its owner. @throws as setPasswordByLink */
export async function resetPassword(
  ctx: Context,
  { kind, token, password }: { kind: Person['kind']; token: string; password: string },
): Promise<Person> {
  const person = await setPasswordByLink(ctx, { token, purpose: 'reset', kind, password });
  // The owner has proved their identity: earlier wrong guesses no longer count.
  await ctx.app.guesses.succeeded(passwordAccount(kind, person.email), ctx.request.ip, true);
  return person;
}

async function sendLink(ctx: Context, person: Person): Promise<void> {
  if ((await wereSentOften(ctx, [person])).size > 0) return;
  const { token, expires_at } = await createLink(ctx, person, 'reset');
  const link = `${ctx.app.config.baseUrl}${RESET_PATHS[person.kind]}?token=${token}`;
  sendMail(ctx, PasswordReset, {
    to: { name: person.name, address: person.email },
    data: { link, valid_until: untilWhen(ctx, expires_at) },
  });
  ctx.record({
    action: 'update',
    entity_type: person.kind === 'technician' ? 'technician' : 'contact',
    entity_id: person.kind === 'technician' ? person.user_id : person.employee_number,
    description: 'Requested a password reset',
  });
}

async function findPerson(ctx: Context, kind: Person['kind'], email: string): Promise<Person | null> {
  const email_key = normalised(email);
  if (kind === 'technician') {
    const row = await ctx.db.findOneBy(Technician, { email_key, active: true, deleted_at: IsNull() });
    return row && technicianPerson(row);
  }
  const row = await ctx.db.findOneBy(Employee, { email_key, status: 'Active', deleted_at: IsNull() });
  if (!row) return null;
  const { company_number } = row;
  return (
    (await ctx.db.findOneBy(Company, { company_number, status: 'active', deleted_at: IsNull() })) && employeePerson(row)
  );
}
