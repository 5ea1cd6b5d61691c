// Assets that a device may be: read for many devices in one statement.
import { listed, normalised, sql, type Context, type Sql } from '@keelson/core';
import { joined } from '@keelson/core/database';
import { Asset } from '../entities/asset.ts';

export interface Identifiers {
  readonly serial_number?: string | undefined;
  readonly mac_address?: string | undefined;
  readonly hostname?: string | undefined;
}

/** SQLite compares letters exactly, and scanners write names in either case. */
const spellings = {
  sqlite: (text: string) => [text, text.toLowerCase(), text.toUpperCase()],
  mysql: (text: string) => [text],
};

/**
 * The assets of a company with one of the serial numbers or MAC addresses, and those of the site with one of the host
 * names; locked, the oldest first.
 */
export async function lockCandidates(
  ctx: Context,
  { company_number, site_number }: { readonly company_number: number; readonly site_number: number },
  devices: readonly Identifiers[],
): Promise<Asset[]> {
  const values = (of: (device: Identifiers) => readonly string[]) => [
    ...new Set(devices.flatMap(of).filter((each) => each !== '')),
  ];
  const serials = values(({ serial_number = '' }) => [normalised(serial_number)]);
  const macs = values(({ mac_address = '' }) => [mac_address]);
  const names = values(({ hostname = '' }) => spellings[ctx.db.dialect](hostname));
  // A SELECT of its own for each, so that each has its index.
  const wheres: Sql[] = [];
  if (serials.length > 0) wheres.push(sql`serial_key IN ${listed(serials)}`);
  if (macs.length > 0) wheres.push(sql`mac_address IN ${listed(macs)} AND deleted_at IS NULL`);
  if (names.length > 0)
    wheres.push(sql`machine_name IN ${listed(names)} AND site_number = ${site_number} AND deleted_at IS NULL`);
  if (wheres.length === 0) return [];
  const reads = wheres.map(
    (where) => sql`SELECT asset_id FROM asset WHERE company_number = ${company_number} AND ${where}`,
  );
  const rows = await ctx.db.query<{ asset_id: number }>(joined(reads, ' UNION '));
  const asset_id = rows.map((row) => Number(row.asset_id));
  if (asset_id.length === 0) return [];
  return ctx.db.find(Asset, { asset_id, deleted_at: null }, { order: [['asset_id', 'ASC']], lock: true });
}
