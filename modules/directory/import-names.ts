// Resolves names in a file to numbers: a company by name, a site by name within the company, a person by email
// address.
import { In, IsNull, normalised, type Context } from '@keelson/core';
import type { ImportedRow, RowError } from '@keelson/core/files';
import { Company } from './entities/company.ts';
import { Employee } from './entities/employee.ts';
import { Site } from './entities/site.ts';

/** The name fields of a row, and the number fields they resolve to. */
export interface Named {
  readonly company_number?: number | undefined;
  readonly company_name?: string | undefined;
  readonly site_number?: number | null | undefined;
  readonly site_name?: string | undefined;
  readonly assigned_employee?: number | null | undefined;
  readonly assigned_email?: string | undefined;
}

interface Found<V> {
  readonly rows: readonly ImportedRow<V>[];
  /** Rows with unknown names. */
  readonly errors: readonly RowError[];
}

/**
 * Returns the rows with numbers in place of names; a number given along with a name wins. `usual` is the company of
 * rows without one.
 */
export async function withNumbers<V extends Named>(
  ctx: Context,
  rows: readonly ImportedRow<V>[],
  usual: number | undefined,
): Promise<Found<Omit<V, 'company_name' | 'site_name' | 'assigned_email'>>> {
  const companies = await readCompanies(ctx, named(rows, 'company_name'));
  const errors: RowError[] = [];
  const refuse = (row: number, field: string, error: string) => {
    errors.push({ row, field, error: `${field} ${error}` });
    return [];
  };
  const known = rows.flatMap(({ row, values: { company_name, ...values } }) => {
    if (!company_name || values.company_number !== undefined) return [{ row, values }];
    const company_number = companies.get(normalised(company_name));
    if (company_number === undefined) return refuse(row, 'company_name', 'must be the name of a company');
    return [{ row, values: { ...values, company_number } }];
  });
  const of = ({ company_number }: Named): number => company_number ?? usual ?? 0;
  const sites = await readSites(
    ctx,
    known.filter(({ values }) => values.site_name).map(({ values }) => of(values)),
  );
  const people = await readPeople(ctx, named(known, 'assigned_email'));
  const byName = await readNamedPeople(ctx, known, of);
  const found = known.flatMap(({ row, values: { site_name, assigned_email, ...values } }) => {
    const company = of(values);
    const site_number = site_name ? sites.get(`${company} ${normalised(site_name)}`) : undefined;
    if (site_name && !values.site_number && !site_number)
      return refuse(row, 'site_name', 'must be the name of a site of the company');
    const person = assigned_email
      ? (people.get(normalised(assigned_email)) ?? byName.get(`${company} ${normalised(assigned_email)}`))
      : undefined;
    if (assigned_email && !values.assigned_employee && person?.company_number !== company)
      return refuse(row, 'assigned_email', 'must be the email or the name of a contact of the company');
    const numbers = {
      ...(site_number && !values.site_number && { site_number }),
      ...(person && !values.assigned_employee && { assigned_employee: person.employee_number }),
    };
    return [
      { row, values: { ...values, ...numbers } as unknown as Omit<V, 'company_name' | 'site_name' | 'assigned_email'> },
    ];
  });
  return { rows: found, errors };
}

const named = <R extends { readonly values: Named }>(rows: readonly R[], field: 'company_name' | 'assigned_email') => [
  ...new Set(rows.flatMap(({ values }) => (values[field] ? [normalised(values[field])] : []))),
];

async function readCompanies({ db }: Context, customer_key: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const found = customer_key.length === 0 ? [] : await db.findBy(Company, { customer_key: In([...customer_key]) });
  return new Map(found.map((each) => [each.customer_key ?? '', each.company_number]));
}

/** Returns the sites, by company number and name. */
async function readSites({ db }: Context, companies: readonly number[]): Promise<ReadonlyMap<string, number>> {
  const company_number = [...new Set(companies)];
  const found =
    company_number.length === 0
      ? []
      : await db.findBy(Site, { company_number: In(company_number), deleted_at: IsNull() });
  return new Map(found.map((each) => [`${each.company_number} ${each.site_key}`, each.site_number]));
}

async function readPeople({ db }: Context, email_key: readonly string[]): Promise<ReadonlyMap<string, Employee>> {
  const found =
    email_key.length === 0 ? [] : await db.findBy(Employee, { email_key: In([...email_key]), deleted_at: IsNull() });
  return new Map(found.map((each) => [each.email_key ?? '', each]));
}

/** Returns the contacts that rows name in full, `Ann van Dyke` or `van Dyke, Ann`, by company number and name. */
async function readNamedPeople<V extends Named>(
  { db }: Context,
  rows: readonly ImportedRow<V>[],
  of: (values: Named) => number,
): Promise<ReadonlyMap<string, Employee>> {
  const full = rows.filter(({ values }) => values.assigned_email && !values.assigned_email.includes('@'));
  if (full.length === 0) return new Map();
  const last_name = [...new Set(full.flatMap(({ values }) => lastNamesIn(values.assigned_email ?? '')))];
  const company_number = [...new Set(full.map(({ values }) => of(values)))];
  const found = await db.findBy(Employee, {
    company_number: In(company_number),
    last_name: In(last_name),
    deleted_at: IsNull(),
  });
  const byName = Map.groupBy(
    found.flatMap((person) => namesOf(person).map((name) => ({ person, key: `${person.company_number} ${name}` }))),
    ({ key }) => key,
  );
  // Two people of the same name cannot be told apart.
  return new Map([...byName].flatMap(([key, [one, ...more]]) => (one && more.length === 0 ? [[key, one.person]] : [])));
}

const namesOf = ({ first_name, last_name }: Employee): string[] =>
  [`${first_name} ${last_name}`, `${last_name}, ${first_name}`].map(normalised);

/** Returns what may be the last name: all words but the first few, or what is before a comma. */
function lastNamesIn(name: string): string[] {
  const [before = '', ...after] = name.split(',').map((each) => each.trim());
  if (after.length > 0) return [before];
  const words = before.split(/\s+/);
  return words.slice(1).map((_, at) => words.slice(at + 1).join(' '));
}
