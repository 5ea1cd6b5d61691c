import { conflict, invalid, IsNull, notFound, type Context, type EmployeeActor } from '@keelson/core';
import { signedOut } from '@keelson/core/system';
import {
  Employee,
  newHash,
  storeEmployeePassword,
  storeTechnicianPassword,
  Technician,
} from '@keelson/modules/directory';
import { rememberDevice, sessionDevice } from '../device.ts';
import { tryPassword } from '../sessions/guess.ts';
import { endSessions, keepOnlySession } from '../sessions/session.ts';

export interface PasswordChange {
  readonly current_password: string;
  readonly new_password: string;
  /** The cookie of known devices. */
  readonly devices: string | undefined;
}

/**
 * Changes the caller's password. This session continues under a new id; all others end. Opens its own
 * transaction. Returns the new cookie values.
 * @throws invalid() when the current password is wrong or the new one is forbidden
 */
export async function changePassword(
  ctx: Context<EmployeeActor>,
  input: PasswordChange,
): Promise<{ cookie: string; devices: string }> {
  const { employee_number, session_id } = ctx.actor;
  const employee = await ctx.db.findOneBy(Employee, { employee_number, deleted_at: IsNull() });
  if (!employee) throw signedOut();
  const { email, access_version } = employee;
  const hash = employee.password_hash ?? undefined;
  const given = { kind: 'employee', username: email, password: input.current_password, hash } as const;
  if (!(await tryPassword(ctx, { ...given, device: sessionDevice(ctx.actor) })).ok)
    throw invalid('Current password is incorrect');
  const policy = { email, current: input.current_password, field: 'new_password' };
  const password_hash = await newHash(ctx, input.new_password, policy);
  return ctx.transaction(async (inside) => {
    const next = await storeEmployeePassword(inside, { employee_number, access_version }, password_hash);
    if (next === undefined) throw conflict('Your account has changed: sign in again');
    const cookie = await keepOnlySession(inside, { session_id, employee_number, access_version: next });
    const owner = { kind: 'employee', id: employee_number, access_version: next } as const;
    return { cookie, devices: rememberDevice(inside, input.devices, owner) };
  });
}

/**
 * Sets an employee's password without the old one and ends all their sessions. Opens its own transaction.
 * @throws notFound(), invalid() for a forbidden password
 */
export async function setEmployeePassword(
  ctx: Context,
  { employee_number, password }: { employee_number: number; password: string },
): Promise<void> {
  const employee = await ctx.db.findOneBy(Employee, { employee_number, deleted_at: IsNull() });
  if (!employee) throw notFound('Employee');
  const password_hash = await newHash(ctx, password, { email: employee.email });
  await ctx.transaction(async (inside) => {
    const current = await inside.db.findOne(Employee, {
      where: { employee_number, deleted_at: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
    if (!current) throw notFound('Employee');
    await storeEmployeePassword(inside, current, password_hash);
    await endSessions(inside, employee_number);
  });
}

/** Sets a technician's password the same way. @throws notFound(), invalid() for a forbidden password */
export async function setTechnicianPassword(
  ctx: Context,
  { user_id, password }: { user_id: number; password: string },
): Promise<void> {
  const technician = await ctx.db.findOneBy(Technician, { user_id, deleted_at: IsNull() });
  if (!technician) throw notFound('Technician');
  const password_hash = await newHash(ctx, password, { email: technician.email });
  await ctx.transaction(async (inside) => {
    const current = await inside.db.findOne(Technician, {
      where: { user_id, deleted_at: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
    if (!current) throw notFound('Technician');
    await storeTechnicianPassword(inside, current, password_hash);
  });
}
