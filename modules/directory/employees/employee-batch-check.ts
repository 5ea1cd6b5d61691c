// Checks the rows of an import: reads their references for a whole batch, then checks each row.
import { In, IsNull, listed, Problem, sql, type Context } from '@keelson/core';
import type { ImportedRow, RowError } from '@keelson/core/files';
import { Employee } from '../entities/employee.ts';
import { Site } from '../entities/site.ts';
import { managersAmong } from '../groups/memberships.ts';
import { readOwners } from './addresses.ts';
import type { EmployeeRow } from './employee-fields.ts';
import { MANAGES } from './employees.ts';

export interface BatchOptions {
  /** For rows that name no company. */
  readonly company_number: number | undefined;
  /** Every row belongs to that company, regardless of what it names (D-01). */
  readonly fixedCompany: boolean;
  readonly update_existing: boolean;
  /** Refuses a new person (`before` is undefined) or a change of one. @throws Problem */
  readonly refuse?: (before: Employee | undefined, wanted: EmployeeRow) => void;
  /** Set for a dry run: rows checked so far, by address, in place of what the database would contain. */
  readonly judged?: Map<string, Wanted>;
}

export interface SliceOptions extends BatchOptions {
  /** Also reads existing people. */
  readonly lookUp: boolean;
}

type Fields = Omit<EmployeeRow, 'password'>;

export interface Row extends ImportedRow<Fields> {
  /** The normalised email address, which must be unique. */
  readonly key: string;
  readonly password: string | undefined;
}

/** A person that a batch creates or changes, once per batch even if the file repeats them. */
export interface Wanted {
  readonly before: Employee | undefined;
  readonly values: Fields & { readonly company_number: number };
  readonly hash: string | undefined;
}

/** The companies and sites that people of a batch may belong to. */
export interface Places {
  readonly companies: ReadonlySet<number>;
  /** The company of each site. */
  readonly sites: ReadonlyMap<number, number>;
}

export interface Known extends Places {
  readonly people: ReadonlyMap<string, Employee>;
  readonly managers: ReadonlySet<number>;
  /** Additional addresses of contacts, and addresses of technicians. */
  readonly owners: ReadonlySet<string>;
}

/** Reads the places that rows refer to. Locks the companies against deletion until the transaction ends. */
export async function readPlaces(ctx: Context, rows: readonly Row[], options: BatchOptions): Promise<Places> {
  const numbers = new Set<number>();
  const site_number = new Set<number>();
  for (const { values } of rows) {
    const company = companyOf(values, options);
    if (company !== undefined) numbers.add(company);
    if (values.site_number) site_number.add(values.site_number);
  }
  const companies = await holdCompanies(ctx, [...numbers]);
  const sites =
    site_number.size === 0
      ? []
      : await ctx.db.findBy(Site, { site_number: In([...site_number]), deleted_at: IsNull() });
  return {
    companies: new Set(companies.map((each) => each.company_number)),
    sites: new Map(sites.map((each) => [each.site_number, each.company_number])),
  };
}

export async function readKnown(
  ctx: Context,
  rows: readonly Row[],
  places: Places,
  options: SliceOptions,
): Promise<Known> {
  const found = options.lookUp ? await findPresent(ctx, rows, options) : [];
  const losing = rows.some(({ values }) => values.ismgr === false) ? found.filter((each) => each.ismgr) : [];
  const numbers = losing.map((each) => each.employee_number);
  return {
    ...places,
    people: new Map(found.map((each) => [each.email_key ?? '', each])),
    managers: await managersAmong(ctx, numbers),
    owners: await readOwners(ctx, [...new Set(rows.map((each) => each.key))]),
  };
}

function findPresent(ctx: Context, rows: readonly Row[], { update_existing }: BatchOptions): Promise<Employee[]> {
  const email_key = [...new Set(rows.map((each) => each.key))];
  return ctx.db.find(Employee, {
    where: { email_key: In(email_key), deleted_at: IsNull() },
    lock: update_existing ? { mode: 'pessimistic_write' } : undefined,
  });
}

/**
 * Returns the existing companies with a shared lock: they cannot be deleted before the batch is stored, but others may
 * still add rows.
 */
export function holdCompanies({ db }: Context, numbers: readonly number[]) {
  const share = db.dialect === 'mysql' ? sql`LOCK IN SHARE MODE` : sql``;
  return db.query<{ company_number: number }>(sql`SELECT company_number FROM company
    WHERE company_number IN ${listed(numbers)} AND deleted_at IS NULL ${share}`);
}

export function companyOf(row: Fields, { company_number, fixedCompany }: BatchOptions): number | undefined {
  return fixedCompany ? company_number : (row.company_number ?? company_number);
}

export type Fault = Omit<RowError, 'row'>;

export function faultOf(
  { values, key, password }: Row,
  earlier: Wanted | undefined,
  known: Known,
  hash: string | Problem | undefined,
  options: BatchOptions,
): Fault | undefined {
  const fault = (field: string, error: string): Fault => ({ field, error });
  const company = companyOf(values, options);
  if (company === undefined) return fault('company_number', 'company_number is required');
  if (!known.companies.has(company)) return fault('company_number', 'company_number must be an existing company');
  const before = known.people.get(key);
  const present = before ?? earlier?.values;
  const elsewhere = present !== undefined && present.company_number !== company;
  // Only technicians may learn that another company uses the address (E-07).
  if (elsewhere && !options.fixedCompany) return fault('email', 'email is in use at another company');
  if (!before && known.owners.has(key)) return fault('email', 'email is already in use');
  if (present && (elsewhere || !options.update_existing)) return fault('email', 'email is already in use');
  if (values.site_number && known.sites.get(values.site_number) !== company)
    return fault('site_number', 'site_number must be a site of the company');
  if (hash instanceof Problem) return fault('password', hash.message);
  if (before && values.ismgr === false && known.managers.has(before.employee_number)) return fault('ismgr', MANAGES);
  return refusalOf(options, before, password === undefined ? values : { ...values, password });
}

function refusalOf({ refuse }: BatchOptions, before: Employee | undefined, values: EmployeeRow): Fault | undefined {
  try {
    refuse?.(before, values);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { field: error.message.split(' ')[0] ?? '', error: error.message };
  }
}
