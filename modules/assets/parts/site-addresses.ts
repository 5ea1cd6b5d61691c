// Assigned addresses as seen from a site: two sites may use the same range (AS-13).
import { listed, sql, type Context, type Sql } from '@keelson/core';
import type { Asset } from '../entities/asset.ts';
import type { AssetAddress } from '../entities/parts.ts';

/** A site of a company; null for all its sites. */
export interface Place {
  readonly company_number: number;
  readonly site_number: number | null;
}

/** A range of address keys at a place. */
export interface PlaceRange extends Place {
  readonly first_key: string;
  readonly last_key: string;
}

export type AssignedAddress = Pick<
  AssetAddress,
  'address_key' | 'ip_address' | 'asset_id' | 'mac_address' | 'assignment_type'
>;

/** Returns up to `most` assigned addresses in a range, lowest first. */
export function readAssignedAddresses({ db }: Context, range: PlaceRange, most: number): Promise<AssignedAddress[]> {
  return db.query<AssignedAddress>(sql`SELECT address_key, asset_address.ip_address, asset_address.asset_id,
    asset_address.mac_address, assignment_type FROM ${assigned(range, inRange(range))}
    ORDER BY address_key LIMIT ${most}`);
}

/** Counts the assigned addresses in a range; one that several assets have counts once. */
export async function countAssignedAddresses({ db }: Context, range: PlaceRange): Promise<number> {
  const from = assigned(range, inRange(range));
  const [row] = await db.query<{ n: unknown }>(sql`SELECT COUNT(DISTINCT address_key) AS n FROM ${from}`);
  return Number(row?.n ?? 0);
}

/** Returns which of these addresses are assigned. */
export async function assignedAmong({ db }: Context, place: Place, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const from = assigned(place, sql`address_key IN ${listed(keys)}`);
  const rows = await db.query<{ address_key: string }>(sql`SELECT address_key FROM ${from}`);
  return new Set(rows.map((each) => each.address_key));
}

const inRange = ({ first_key, last_key }: PlaceRange) => sql`address_key BETWEEN ${first_key} AND ${last_key}`;

/** Assets without a site may be at any. */
function assigned({ company_number, site_number }: Place, which: Sql): Sql {
  const own = sql`asset_address.company_number = ${company_number} AND ${which}`;
  if (site_number === null) return sql`asset_address WHERE ${own}`;
  return sql`asset_address JOIN asset ON asset.asset_id = asset_address.asset_id
    WHERE ${own} AND (asset.site_number IS NULL OR asset.site_number = ${site_number})`;
}

/** Returns whether an asset may be at a site; either may be unknown. */
export function mayBeAt({ site_number }: Pick<Asset, 'site_number'>, at: number | null): boolean {
  return site_number === null || at === null || site_number === at;
}
