// Checks the rows of an import: reads their references for a whole batch, then checks each row.
import { In, IsNull, listed, lockAll, sql, type Context } from '@keelson/core';
import { joined } from '@keelson/core/database';
import type { ImportedRow, RowError } from '@keelson/core/files';
import { Employee, holdCompanies, Site } from '@keelson/modules/directory';
import { assetNoun } from '../assets/asset-list.ts';
import type { Asset } from '../entities/asset.ts';
import type { AssetRow, BatchOptions, Row } from './rows.ts';

/** The records that rows of a batch may refer to. */
export interface Places {
  readonly companies: ReadonlySet<number>;
  /** The company of each site and of each person. */
  readonly sites: ReadonlyMap<number, number>;
  readonly people: ReadonlyMap<number, number>;
}

export function rowOf(
  { row, values }: ImportedRow<AssetRow>,
  { fixedCompany, company_number, identifiers }: BatchOptions,
): Row {
  const company = fixedCompany ? company_number : (values.company_number ?? company_number);
  const { serial_number } = values;
  const serial_key = serial_number === undefined ? undefined : identifiers.serialKey(serial_number);
  const key = !serial_key || company === undefined ? undefined : keyOf(company, serial_key);
  return { row, values, company, serial_key, key };
}

export const keyOf = (company: number, serial_key: string | null): string => `${company} ${serial_key}`;

/** Reads the records that rows refer to. Locks the companies against deletion until the transaction ends. */
export async function readPlaces(ctx: Context, rows: readonly Row[]): Promise<Places> {
  const company = new Set<number>();
  const site_number = new Set<number>();
  const employee_number = new Set<number>();
  for (const { values, company: of } of rows) {
    if (of !== undefined) company.add(of);
    if (values.site_number) site_number.add(values.site_number);
    if (values.assigned_employee) employee_number.add(values.assigned_employee);
  }
  const sites =
    site_number.size === 0
      ? []
      : await ctx.db.findBy(Site, { site_number: In([...site_number]), deleted_at: IsNull() });
  const people =
    employee_number.size === 0
      ? []
      : await ctx.db.findBy(Employee, { employee_number: In([...employee_number]), deleted_at: IsNull() });
  return {
    companies: new Set((await holdCompanies(ctx, [...company])).map((each) => each.company_number)),
    sites: new Map(sites.map((each) => [each.site_number, each.company_number])),
    people: new Map(people.map((each) => [each.employee_number, each.company_number])),
  };
}

/** Returns the assets that rows name by serial number. */
export async function readPresent(ctx: Context, rows: readonly Row[]): Promise<ReadonlyMap<string, Asset>> {
  const named = rows.filter((each) => each.key !== undefined);
  if (named.length === 0) return new Map();
  const byCompany = [...Map.groupBy(named, (each) => each.company ?? 0)].map(([company, of]) => {
    const keys = of.flatMap(({ serial_key }) => serial_key ?? []);
    return sql`(asset.company_number = ${company} AND asset.serial_key IN ${listed(keys)})`;
  });
  const found = await ctx.db.query<{ asset_id: number }>(
    sql`SELECT asset_id FROM asset WHERE ${joined(byCompany, ' OR ')}`,
  );
  const assets = await lockAll(
    ctx,
    assetNoun,
    found.map((each) => each.asset_id),
  );
  return new Map(assets.map((each) => [keyOf(each.company_number, each.serial_key), each]));
}

type Fault = Omit<RowError, 'row'>;

export function faultOf(
  { values, company }: Row,
  present: boolean,
  places: Places,
  options: BatchOptions,
): Fault | undefined {
  const fault = (field: string, error: string): Fault => ({ field, error: `${field} ${error}` });
  const { site_number, assigned_employee, serial_number } = values;
  if (company === undefined) return fault('company_number', 'is required');
  if (!places.companies.has(company)) return fault('company_number', 'must be an existing company');
  if (site_number && places.sites.get(site_number) !== company)
    return fault('site_number', 'must be a site of the company');
  if (assigned_employee && places.people.get(assigned_employee) !== company)
    return fault('assigned_employee', 'must be a contact of the company');
  if (present && !options.update_existing) return fault('serial_number', `${serial_number} already exists`);
  return undefined;
}
