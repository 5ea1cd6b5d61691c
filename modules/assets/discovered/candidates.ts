// Finds assets that may match devices, for many devices in one statement.
import { In, IsNull, listed, sql, type Context, type Sql } from '@keelson/core';
import { joined } from '@keelson/core/database';
import { Asset } from '../entities/asset.ts';
import { hostKey } from '../host-names.ts';
import { readIdentifiers } from '../identifiers.ts';

export interface DeviceIdentifiers {
  readonly serial_number?: string | undefined;
  readonly mac_address?: string | undefined;
  readonly hostname?: string | undefined;
}

interface Where {
  readonly company_number: number;
  readonly site_number: number;
}

/**
 * Returns the company's assets that match a serial number or MAC address, and those of the site, or of none, that match
 * a host name.
 * Locked, oldest first.
 */
export async function lockCandidates(
  ctx: Context,
  place: Where,
  devices: readonly DeviceIdentifiers[],
): Promise<Asset[]> {
  const { serialKey } = await readIdentifiers(ctx);
  const serials = distinct(devices, ({ serial_number = '' }) => serialKey(serial_number) ?? '');
  const found = await read(
    ctx,
    place,
    devices,
    serials.length > 0 ? sql`serial_key IN ${listed(serials)}` : undefined,
    false,
  );
  if (found.length === 0) return [];
  return ctx.db.find(Asset, {
    where: { asset_id: In(found), deleted_at: IsNull() },
    order: { asset_id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
}

/** Returns matching deleted assets, newest first and not locked. */
export async function deletedCandidates(
  ctx: Context,
  place: Where,
  devices: readonly DeviceIdentifiers[],
): Promise<Asset[]> {
  const serials = distinct(devices, ({ serial_number = '' }) => serial_number);
  const where = serials.length > 0 ? sql`serial_number IN ${listed(serials)} AND deleted_at IS NOT NULL` : undefined;
  const found = await read(ctx, place, devices, where, true);
  if (found.length === 0) return [];
  const rows = await ctx.db.find(Asset, { where: { asset_id: In(found) }, order: { asset_id: 'DESC' } });
  return rows.filter((each) => each.deleted_at !== null);
}

/** Returns the ids of a company's deleted assets. */
export async function deletedOf(
  ctx: Context,
  { company_number }: Pick<Where, 'company_number'>,
): Promise<ReadonlySet<number>> {
  const rows = await ctx.db.query<{ asset_id: number }>(
    sql`SELECT asset_id FROM asset WHERE company_number = ${company_number} AND deleted_at IS NOT NULL`,
  );
  return new Set(rows.map((row) => Number(row.asset_id)));
}

/** Returns the deleted assets among these ids. */
export async function deletedAmong(ctx: Context, asset_id: readonly number[]): Promise<Asset[]> {
  if (asset_id.length === 0) return [];
  const gone = await ctx.db.query<{ asset_id: number }>(
    sql`SELECT asset_id FROM asset WHERE asset_id IN ${listed(asset_id)} AND deleted_at IS NOT NULL`,
  );
  if (gone.length === 0) return [];
  return ctx.db.findBy(Asset, { asset_id: In(gone.map((row) => Number(row.asset_id))) });
}

async function read(
  ctx: Context,
  { company_number, site_number }: Where,
  devices: readonly DeviceIdentifiers[],
  bySerial: Sql | undefined,
  deleted: boolean,
): Promise<number[]> {
  const state = deleted ? sql`deleted_at IS NOT NULL` : sql`deleted_at IS NULL`;
  const macs = distinct(devices, ({ mac_address = '' }) => mac_address);
  const names = distinct(devices, ({ hostname = '' }) => hostKey(hostname));
  // One SELECT per identifier, so that each uses its index.
  const wheres: Sql[] = bySerial ? [bySerial] : [];
  if (macs.length > 0) wheres.push(sql`mac_address IN ${listed(macs)} AND ${state}`);
  if (names.length > 0)
    wheres.push(
      sql`host_key IN ${listed(names)} AND (site_number = ${site_number} OR site_number IS NULL) AND ${state}`,
    );
  if (wheres.length === 0) return [];
  const reads = wheres.map(
    (where) => sql`SELECT asset_id FROM asset WHERE company_number = ${company_number} AND ${where}`,
  );
  const rows = await ctx.db.query<{ asset_id: number }>(joined(reads, ' UNION '));
  return rows.map((row) => Number(row.asset_id));
}

const distinct = (devices: readonly DeviceIdentifiers[], of: (device: DeviceIdentifiers) => string): string[] => [
  ...new Set(devices.map(of).filter((each) => each !== '')),
];
