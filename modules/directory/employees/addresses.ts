// Additional email addresses of contacts. An address, primary or additional, belongs to one person only.
import {
  announceChange,
  by,
  conflict,
  create,
  duplicate,
  In,
  IsNull,
  normalised,
  notFound,
  record,
  remove,
  sql,
  view,
  type Context,
} from '@keelson/core';
import { claim, release } from '../address-claims.ts';
import { EmployeeAddress } from '../entities/employee-address.ts';
import { Employee } from '../entities/employee.ts';
import { Technician } from '../entities/technician.ts';

const MOST = 20;
const TAKEN = 'email is already in use';

export const EmployeeAddresses = record(EmployeeAddress, {
  title: 'Mail address',
  call: ({ email }) => email,
  sorts: { address_id: by('address_id') },
  order: 'asc',
  taken: () => TAKEN,
  derive: ({ email }) => ({ email_key: normalised(email) }),
});

export const ContactAddress = view(EmployeeAddresses, { only: ['address_id', 'email', 'created_at'] });

/** Returns a person's additional addresses, oldest first. */
export function listAddresses({ db }: Context, employee_number: number): Promise<EmployeeAddress[]> {
  return db.find(EmployeeAddress, { where: { employee_number }, order: { address_id: 'ASC' } });
}

/**
 * Adds an address to a locked person.
 * @throws duplicate() if it belongs to someone; conflict() if there are too many
 */
export async function addAddress(ctx: Context, employee: Employee, email: string): Promise<EmployeeAddress> {
  const { employee_number } = employee;
  const email_key = normalised(email);
  const ofContact = await ctx.db.findOneBy(Employee, { email_key, deleted_at: IsNull() });
  const ofTechnician = await ctx.db.findOneBy(Technician, { email_key, deleted_at: IsNull() });
  if (ofContact || ofTechnician) throw duplicate(TAKEN);
  if ((await ctx.db.countBy(EmployeeAddress, { employee_number })) >= MOST)
    throw conflict(`A contact can have at most ${MOST} further addresses`);
  await claim(ctx, email_key, 'contact');
  const added = await create(ctx, EmployeeAddresses, { employee_number, email });
  tellPages(ctx, employee);
  return added;
}

/** Removes an address of a person. @throws notFound() */
export async function removeAddress(ctx: Context, employee: Employee, address_id: number): Promise<void> {
  const { employee_number } = employee;
  const address = await ctx.db.findOne(EmployeeAddress, {
    where: { address_id, employee_number },
    lock: { mode: 'pessimistic_write' },
  });
  if (!address) throw notFound(EmployeeAddresses.title);
  await remove(ctx, EmployeeAddresses, address);
  await release(ctx, [address.email_key], 'contact');
  tellPages(ctx, employee);
}

/** Not shown in the portal. */
const tellPages = (ctx: Context, row: Employee): void =>
  announceChange(ctx, { of: Employee, row, kind: 'changed', internal: true });

/** Removes all addresses of deleted people and releases their claims, so that others can use them. */
export async function removeAddresses(ctx: Context, people: readonly Employee[]): Promise<void> {
  const employee_number = people.map((each) => each.employee_number);
  const others = await ctx.db.findBy(EmployeeAddress, { employee_number: In(employee_number) });
  await release(
    ctx,
    [...people, ...others].map((each) => each.email_key),
    'contact',
  );
  await ctx.db.delete(EmployeeAddress, { employee_number: In(employee_number) });
}

/**
 * Claims a primary address for a person. One of their own additional addresses becomes the primary one.
 * @throws duplicate() if it belongs to someone else
 */
export async function claimAddress(ctx: Context, email: string, employee_number?: number): Promise<void> {
  const email_key = normalised(email);
  const address = await ctx.db.findOne(EmployeeAddress, {
    where: { email_key },
    lock: { mode: 'pessimistic_write' },
  });
  if (!address) return claim(ctx, email_key, 'contact');
  if (address.employee_number !== employee_number) throw duplicate(TAKEN);
  await remove(ctx, EmployeeAddresses, address);
}

/** Returns which of these normalised addresses are additional addresses of contacts, or belong to technicians. */
export async function readOwners({ db }: Context, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const email_key = In([...keys]);
  const others = await db.findBy(EmployeeAddress, { email_key });
  const technicians = await db.findBy(Technician, { email_key, deleted_at: IsNull() });
  return new Set([...others, ...technicians].flatMap((each) => each.email_key ?? []));
}

/** Returns the active person with an email address, primary or additional. */
export async function findByAddress({ db }: Context, address: string): Promise<Employee | null> {
  const email_key = normalised(address);
  const active = { status: 'Active', deleted_at: IsNull() } as const;
  const first = await db.findOneBy(Employee, { email_key, ...active });
  if (first) return first;
  const other = await db.findOneBy(EmployeeAddress, { email_key });
  return other && db.findOneBy(Employee, { employee_number: other.employee_number, ...active });
}

/** Returns up to two companies that have contacts with an address at a domain. */
export async function findCompaniesByDomain({ db }: Context, domain: string): Promise<number[]> {
  const rows = await db.query<{ company_number: number }>(sql`SELECT employee.company_number FROM employee
    WHERE employee.email_key LIKE ${`%@${domain.replaceAll(/[\\%_]/g, '')}`} AND employee.deleted_at IS NULL
    GROUP BY employee.company_number LIMIT 2`);
  return rows.map((each) => Number(each.company_number));
}
