// Creates and stores password hashes. The accounts module verifies them; no other code writes these columns.
import { invalid, IsNull, type Context, type Row } from '@keelson/core';
import { changed } from '@keelson/core/plugin';
import { employeeName } from '@keelson/core/surfaces';
import { hashInTurn, passwordProblem } from '@keelson/core/system';
import { Employee } from '../entities/employee.ts';
import { Technician } from '../entities/technician.ts';
import { tellPassword } from './told.ts';

type EmployeeRow = Row<typeof Employee>;
type TechnicianRow = Row<typeof Technician>;

/**
 * Returns the hash of an acceptable password. Takes a quarter of a second, so never call it inside a
 * transaction.
 * @throws invalid() when the password is not allowed
 */
export async function newHash(
  ctx: Context,
  password: string,
  policy: { email: string; current?: string; field?: string },
): Promise<string> {
  const { passwordMinimum: minimum } = ctx.app.config;
  const problem = passwordProblem(password, { ...policy, minimum });
  if (problem) throw invalid(problem);
  return hashInTurn(ctx, password);
}

/**
 * Stores an employee's new hash under the next access version, which ends every session and token of an older one.
 * Returns that version, or undefined when the row was changed concurrently.
 */
export async function storeEmployeePassword(
  ctx: Context,
  { employee_number, access_version }: Pick<EmployeeRow, 'employee_number' | 'access_version'>,
  password_hash: string,
): Promise<number | undefined> {
  const next = { password_hash, access_version: access_version + 1, updated_at: ctx.now };
  if ((await ctx.db.update(Employee, { employee_number, access_version, deleted_at: IsNull() }, next)).affected === 0)
    return undefined;
  recordPassword(ctx, 'contact', employee_number);
  const employee = await ctx.db.findOneBy(Employee, { employee_number });
  if (employee) {
    tellPassword(ctx, employeeName(employee), employee.email);
    forgetGuesses(ctx, [passwordAccount('employee', employee.email), codeAccount('employee', employee_number)]);
  }
  changed(ctx, Employee);
  return next.access_version;
}

/** Stores a technician's new hash the same way. */
export async function storeTechnicianPassword(
  ctx: Context,
  { user_id, access_version }: Pick<TechnicianRow, 'user_id' | 'access_version'>,
  password_hash: string,
): Promise<number | undefined> {
  const next = { password_hash, access_version: access_version + 1, updated_at: ctx.now };
  if ((await ctx.db.update(Technician, { user_id, access_version, deleted_at: IsNull() }, next)).affected === 0)
    return undefined;
  recordPassword(ctx, 'technician', user_id);
  const technician = await ctx.db.findOneBy(Technician, { user_id });
  if (technician) {
    tellPassword(ctx, technician.name, technician.email);
    forgetGuesses(ctx, [passwordAccount('technician', technician.email), codeAccount('technician', user_id)]);
  }
  changed(ctx, Technician);
  return next.access_version;
}

/** Stores a rehash of the same password with the current cost, unless the password changed in the meantime. */
export async function renewEmployeeHash(ctx: Context, employee: EmployeeRow, renewed: string): Promise<void> {
  const { employee_number, password_hash } = employee;
  await ctx.db.update(
    Employee,
    { employee_number, password_hash: password_hash ?? IsNull() },
    { password_hash: renewed },
  );
}

/** Stores a technician's rehash the same way. */
export async function renewTechnicianHash(ctx: Context, technician: TechnicianRow, renewed: string): Promise<void> {
  const { user_id, password_hash } = technician;
  await ctx.db.update(Technician, { user_id, password_hash: password_hash ?? IsNull() }, { password_hash: renewed });
}

type Kind = 'employee' | 'technician';

/** Returns the key for counting password guesses: an employee and a technician may share an address. */
export const passwordAccount = (kind: Kind, email: string): string => `${kind} ${email}`;
/**
 * Returns the key for counting code guesses. Separate, because otherwise a correct password would reset the count of
 * wrong codes.
 */
export const codeAccount = (kind: Kind, id: number): string => `${kind} code ${id}`;

/** Resets the count of wrong passwords and codes, so that they no longer lock the owner out. */
export function forgetGuesses(ctx: Context, accounts: readonly string[]): void {
  const { guesses, log } = ctx.app;
  ctx.afterCommit(() => {
    for (const account of accounts)
      guesses.succeeded(account, ctx.request.ip, true).catch((error: unknown) => log.error({ err: error }, 'guesses'));
  });
}

function recordPassword(ctx: Context, entity_type: 'contact' | 'technician', entity_id: number): void {
  const changes = { password: ['changed', 'changed'] } as const;
  ctx.record({ action: 'update', entity_type, entity_id, description: 'Changed the password', changes });
}
