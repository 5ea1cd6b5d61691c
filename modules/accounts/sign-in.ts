import { Company, Employee, Technician, renewEmployeeHash, renewTechnicianHash } from '@keelson/modules/directory';
import { hashPassword, normalised, signedOut, type Context, type Row } from '@keelson/core';
import { grantAccess, type AccessGrant } from './access-token.ts';
import { tryPassword } from './guess.ts';
import { openSession } from './session.ts';
import { endTechnicianSession, openTechnicianSession } from './technician-session.ts';

// Hashing takes a quarter of a second and happens outside of any transaction. Whoever may not sign in reads the same words
// after the same time, whatever the reason.

export interface SignInInput {
  /** The e-mail address, in any case. */
  readonly username: string;
  readonly password: string;
}

export interface SignedIn extends AccessGrant {
  readonly cookie: string;
  readonly refresh_token: string;
  readonly employee: Row<typeof Employee>;
  readonly company: Row<typeof Company>;
}

/** Signs an employee in: a session with its cookie and tokens. @throws signedOut() */
export async function signInEmployee(ctx: Context, { username, password }: SignInInput): Promise<SignedIn> {
  const found = await findEmployee(ctx, username);
  const hash = found?.employee.password_hash ?? undefined;
  const { ok, rehash } = await tryPassword(ctx, { kind: 'employee', username, password, hash });
  if (!found || !ok) throw refused(ctx, 'employee');
  const renewed = rehash ? await hashPassword(password, ctx.app.config.passwordCost) : undefined;
  const session = await ctx.transaction(async (inside) => {
    if (renewed) await renewEmployeeHash(inside, found.employee, renewed);
    return openSession(inside, found.employee);
  });
  const { cookie, refresh_token } = session;
  return { ...found, ...grantAccess(ctx, session), cookie, refresh_token };
}

/**
 * Signs a technician in; answers what the cookie holds. `previous` is the cookie the browser had: its session ends.
 * @throws signedOut()
 */
export async function signInTechnician(
  ctx: Context,
  { username, password, previous }: SignInInput & { previous: string | undefined },
): Promise<string> {
  const technician = await findTechnician(ctx, username);
  const hash = technician?.password_hash ?? undefined;
  const { ok, rehash } = await tryPassword(ctx, { kind: 'technician', username, password, hash });
  if (!technician || !ok) throw refused(ctx, 'technician');
  const renewed = rehash ? await hashPassword(password, ctx.app.config.passwordCost) : undefined;
  return ctx.transaction(async (inside) => {
    if (renewed) await renewTechnicianHash(inside, technician, renewed);
    if (previous) await endTechnicianSession(inside, previous);
    return openTechnicianSession(inside, technician);
  });
}

async function findEmployee(
  ctx: Context,
  username: string,
): Promise<{ employee: Row<typeof Employee>; company: Row<typeof Company> } | undefined> {
  const email_key = normalised(username);
  const employee = await ctx.db.one(Employee, { email_key, status: 'Active', deleted_at: null });
  if (!employee) return undefined;
  const { company_number } = employee;
  const company = await ctx.db.one(Company, { company_number, status: 'active', deleted_at: null });
  return company && { employee, company };
}

function findTechnician(ctx: Context, username: string): Promise<Row<typeof Technician> | undefined> {
  return ctx.db.one(Technician, { email_key: normalised(username), active: true, deleted_at: null });
}

function refused(ctx: Context, kind: string): Error {
  ctx.log.info({ kind, ip: ctx.request.ip }, 'sign-in refused');
  return signedOut('Invalid username or password');
}
