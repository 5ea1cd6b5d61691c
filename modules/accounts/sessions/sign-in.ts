import { IsNull, normalised, type Context, type Row } from '@keelson/core';
import { hashInTurn, signedOut } from '@keelson/core/system';
import { Company, Employee, renewEmployeeHash } from '@keelson/modules/directory';
import { rememberDevice, withDevice, type DeviceOwner } from '../device.ts';
import { requireSecondFactor, type GivenCode } from '../factors/second-factor-check.ts';
import { grantAccess, type AccessGrant } from './access-token.ts';
import { tryPassword } from './guess.ts';
import { tellNewDevice } from './new-device.ts';
import { openSession } from './session.ts';

// Signs employees in. Hashing takes a quarter of a second and happens outside transactions. All refusals have the same
// text and timing.

export interface SignInInput extends GivenCode {
  /** The email address, in any case. */
  readonly username: string;
  readonly password: string;
  /** The cookie of known devices. */
  readonly devices?: string | undefined;
}

export interface SignedIn extends AccessGrant {
  readonly cookie: string;
  /** The new cookie of known devices. */
  readonly devices: string;
  readonly refresh_token: string;
  readonly employee: Row<typeof Employee>;
  readonly company: Row<typeof Company>;
}

/**
 * Signs an employee in and opens a session with its cookie and tokens. Employees with a second factor
 * also need a code (SF-31).
 * @throws signedOut()
 */
export async function signInEmployee(ctx: Context, input: SignInInput): Promise<SignedIn> {
  const { username, password, devices, ...code } = input;
  const found = await findEmployee(ctx, username);
  const hash = found?.employee.password_hash ?? undefined;
  const owner = found && withDevice(ctx, devices, employeeOwner(found.employee));
  const given = { kind: 'employee', username, password, hash, device: owner?.device } as const;
  const { ok, rehash } = await tryPassword(ctx, given);
  if (!found || !owner || !ok) throw refused(ctx, 'employee');
  await requireSecondFactor(ctx, owner, code);
  const renewed = rehash ? await hashInTurn(ctx, password) : undefined;
  const session = await ctx.transaction(async (inside) => {
    if (renewed) await renewEmployeeHash(inside, found.employee, renewed);
    await tellNewDevice(inside, owner);
    return openSession(inside, found.employee);
  });
  const { cookie, refresh_token } = session;
  const granted = grantAccess(ctx, session);
  return { ...found, ...granted, cookie, refresh_token, devices: rememberDevice(ctx, devices, owner) };
}

export function employeeOwner({ employee_number, access_version }: Row<typeof Employee>): DeviceOwner {
  return { kind: 'employee', id: employee_number, access_version };
}

async function findEmployee(
  ctx: Context,
  username: string,
): Promise<{ employee: Row<typeof Employee>; company: Row<typeof Company> } | null> {
  const email_key = normalised(username);
  const employee = await ctx.db.findOneBy(Employee, { email_key, status: 'Active', deleted_at: IsNull() });
  // Also query for unknown users: one statement less would reveal by its timing that there is no account.
  const company_number = employee?.company_number ?? 0;
  const company = await ctx.db.findOneBy(Company, { company_number, status: 'active', deleted_at: IsNull() });
  return employee && company && { employee, company };
}

/** Returns the same error for every refusal. */
export function refused(ctx: Context, kind: string): Error {
  ctx.log.info({ kind, ip: ctx.request.ip }, 'sign-in rejected');
  return signedOut('Invalid username or password');
}
