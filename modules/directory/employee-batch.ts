// One batch of an import's rows: those that can be stored are, in one transaction; the others are told.
import {
  DuplicateKey,
  normalised,
  Problem,
  tallyNew,
  type Context,
  type ImportedRow,
  type RowError,
  type StoredBatch,
} from '@keelson/core';
import { Company } from './entities/company.ts';
import { Employee } from './entities/employee.ts';
import { Site } from './entities/site.ts';
import type { EmployeeRow } from './employee-fields.ts';
import { MANAGES, newRow, updateEmployees } from './employees.ts';
import { managersAmong } from './group-people.ts';
import { newHash, storeEmployeePassword } from './passwords.ts';

export interface BatchOptions {
  /** For rows that name no company. */
  readonly company_number: number | undefined;
  /** Every row is of that company, whatever it names (D-01). */
  readonly fixedCompany: boolean;
  readonly update_existing: boolean;
  /** Refuses a change of somebody who is there. @throws Problem */
  readonly refuse?: (before: Employee, wanted: EmployeeRow) => void;
}

type Row = ImportedRow<EmployeeRow>;
/** A person a batch makes or changes, as often as the file names them. */
interface Wanted {
  readonly before: Employee | undefined;
  values: EmployeeRow & { readonly company_number: number };
  hash: string | undefined;
}

const MOST_TRIES = 3;
/** Hashes at once: a sign-in must still find a free turn. */
const HASHES = 2;

/** Stores rows with names of their own company; opens its own transaction. */
export async function storeEmployees(ctx: Context, rows: readonly Row[], options: BatchOptions): Promise<StoredBatch> {
  const hashes = await hashPasswords(ctx, rows);
  for (let tries = 1; ; tries++) {
    try {
      return await ctx.transaction((inside) => storeNow(inside, rows, hashes, options));
    } catch (error) {
      // Somebody else took one of the addresses meanwhile: seen as taken the next time.
      if (!(error instanceof DuplicateKey) || tries === MOST_TRIES) throw error;
    }
  }
}

async function hashPasswords(ctx: Context, rows: readonly Row[]): Promise<ReadonlyMap<Row, string | Problem>> {
  const waiting = rows.filter((each) => each.values.password !== undefined).values();
  const hashes = new Map<Row, string | Problem>();
  const work = async () => {
    for (const row of waiting) hashes.set(row, await hashOf(ctx, row.values));
  };
  await Promise.all(Array.from({ length: HASHES }, work));
  return hashes;
}

async function hashOf(ctx: Context, { email, password = '' }: EmployeeRow): Promise<string | Problem> {
  try {
    return await newHash(ctx, password, { email });
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

async function storeNow(
  ctx: Context,
  rows: readonly Row[],
  hashes: ReadonlyMap<Row, string | Problem>,
  options: BatchOptions,
): Promise<StoredBatch> {
  const known = await readKnown(ctx, rows, options);
  const wanted = new Map<string, Wanted>();
  const errors: RowError[] = [];
  let created = 0;
  let updated = 0;
  for (const row of rows) {
    const key = normalised(row.values.email);
    const fault = faultOf(row, wanted.get(key), known, hashes.get(row), options);
    if (fault) errors.push({ row: row.row, ...fault });
    else if (add(wanted, key, row, known, hashes.get(row), options) === 'created') created++;
    else updated++;
  }
  await storeWanted(ctx, [...wanted.values()], rows);
  return { created, updated, errors };
}

interface Known {
  readonly people: ReadonlyMap<string, Employee>;
  readonly companies: ReadonlySet<number>;
  /** The company of each site. */
  readonly sites: ReadonlyMap<number, number>;
  readonly managers: ReadonlySet<number>;
}

async function readKnown(ctx: Context, rows: readonly Row[], options: BatchOptions): Promise<Known> {
  const values = rows.map((each) => each.values);
  const email_key = [...new Set(values.map((each) => normalised(each.email)))];
  const found = await ctx.db.find(Employee, { email_key, deleted_at: null }, { lock: options.update_existing });
  const numbers = new Set(values.flatMap((each) => companyOf(each, options) ?? []));
  const companies = await ctx.db.find(Company, { company_number: [...numbers], deleted_at: null });
  const site_number = [...new Set(values.flatMap((each) => each.site_number ?? []))];
  const sites = site_number.length === 0 ? [] : await ctx.db.find(Site, { site_number, deleted_at: null });
  const losing = values.some((each) => each.ismgr === false) ? found.filter((each) => each.ismgr) : [];
  return {
    people: new Map(found.map((each) => [each.email_key ?? '', each])),
    companies: new Set(companies.map((each) => each.company_number)),
    sites: new Map(sites.map((each) => [each.site_number, each.company_number])),
    managers: await managersAmong(
      ctx,
      losing.map((each) => each.employee_number),
    ),
  };
}

function companyOf(row: EmployeeRow, { company_number, fixedCompany }: BatchOptions): number | undefined {
  return fixedCompany ? company_number : (row.company_number ?? company_number);
}

type Fault = Omit<RowError, 'row'>;

function faultOf(
  { values }: Row,
  earlier: Wanted | undefined,
  known: Known,
  hash: string | Problem | undefined,
  options: BatchOptions,
): Fault | undefined {
  const fault = (field: string, error: string): Fault => ({ field, error });
  const company = companyOf(values, options);
  if (company === undefined) return fault('company_number', 'company_number is required');
  if (!known.companies.has(company)) return fault('company_number', 'company_number must be an existing company');
  const before = known.people.get(normalised(values.email));
  const present = before ?? earlier?.values;
  if (present && !options.update_existing) return fault('email', 'email is already in use');
  // Whose it is stays unsaid where the caller may not know (E-07).
  if (present && present.company_number !== company) return fault('email', 'email is in use at another company');
  if (values.site_number && known.sites.get(values.site_number) !== company)
    return fault('site_number', 'site_number must be a site of the company');
  if (hash instanceof Problem) return fault('password', hash.message);
  if (before && values.ismgr === false && known.managers.has(before.employee_number)) return fault('ismgr', MANAGES);
  return before && refusalOf(options, before, values);
}

function refusalOf({ refuse }: BatchOptions, before: Employee, values: EmployeeRow): Fault | undefined {
  try {
    refuse?.(before, values);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { field: error.message.split(' ')[0] ?? '', error: error.message };
  }
}

function add(
  wanted: Map<string, Wanted>,
  key: string,
  { values }: Row,
  known: Known,
  hash: string | Problem | undefined,
  options: BatchOptions,
): 'created' | 'updated' {
  const company_number = companyOf(values, options) ?? 0;
  const earlier = wanted.get(key);
  const before = earlier?.before ?? known.people.get(key);
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  wanted.set(key, {
    before,
    values: { ...(earlier?.values ?? values), ...given, company_number },
    hash: typeof hash === 'string' ? hash : earlier?.hash,
  });
  return before || earlier ? 'updated' : 'created';
}

async function storeWanted(ctx: Context, wanted: readonly Wanted[], rows: readonly Row[]): Promise<void> {
  const news = wanted.filter((each) => !each.before);
  const inserted = news.map(({ values: { password, ...values }, hash }) =>
    newRow(ctx, { ...values, password_hash: hash ?? null }),
  );
  await ctx.db.insertMany(Employee, inserted);
  tallyNew(ctx, Employee, inserted);
  if (news.length > 0) {
    ctx.record({
      action: 'create',
      entity_type: 'contact',
      entity_id: 'import',
      description: `${news.length} contacts imported from rows ${rows[0]?.row} to ${rows.at(-1)?.row} of a file`,
    });
  }
  for (const { before, values, hash } of wanted) {
    if (!before) continue;
    const { password, company_number, ...changes } = values;
    const [after = before] = await updateEmployees(ctx, [before], changes);
    if (hash !== undefined) await storeEmployeePassword(ctx, after, hash);
  }
}
