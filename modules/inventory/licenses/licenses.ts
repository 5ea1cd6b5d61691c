// Software licenses of customers, with seats and expiry.
import {
  by,
  change,
  changeAll,
  conflict,
  create,
  fromMinor,
  In,
  lockAll,
  record,
  restrict,
  searched,
  today,
  view,
  z,
  type Context,
  type Given,
  type Wanted,
} from '@keelson/core';
import { sameCurrency } from '@keelson/core/plugin';
import type { MembersOf } from '@keelson/core/record';
import { amountFor } from '@keelson/core/surfaces';
import { checkPlace, CompanyNames } from '@keelson/modules/directory';
import { InventoryRenewed } from '../events.ts';
import { statusUntil } from '../expiry/status.ts';
import { changedLinks, planLinks, type LinkChange } from '../links.ts';
import { ownCompany } from '../visible.ts';
import { License, LicenseAsset } from './entities.ts';
import { endOf, maskOf, seal, storeKey } from './product-key.ts';

export const Licenses = record(License, {
  title: 'License',
  call: ({ name }) => name,
  filters: (its) => ({
    company_number: its.is('company_number'),
    status: its.is('status'),
    search: searched(License),
  }),
  sorts: { created_at: by('created_at') },
  erased: { product_key: null, key_end: null },
  follow: (ctx, _before, { expires_at }) =>
    expires_at === undefined ? {} : { status: statusUntil(expires_at, today(ctx)) },
  async prepare(ctx, after, before) {
    await checkPlace(ctx, after, before);
    if (after.seats !== null && after.seats_used > after.seats)
      throw conflict(`The license has ${after.seats} seats but is linked to ${after.seats_used} assets`);
  },
  changed(ctx, changes) {
    for (const { before, after } of changes)
      if (before.expires_at !== null && before.expires_at !== after.expires_at)
        ctx.emit(InventoryRenewed, { kind: 'license', id: after.license_id });
  },
  async removed(ctx, licenses) {
    await ctx.db.delete(LicenseAsset, { license_id: In(licenses.map((each) => each.license_id)) });
    for (const { license_id } of licenses) ctx.emit(InventoryRenewed, { kind: 'license', id: license_id });
  },
});

const more = (its: MembersOf<typeof License>) => ({
  product_key: its.from(z.string().nullable(), ['key_end'], maskOf),
  company_name: its.name(CompanyNames, 'company_number'),
  currency: its.lookup(z.string(), 'license_id', sameCurrency, ''),
});

/** License in lists (F-11), with only the last characters of its key. */
export const LicenseItem = view(Licenses, {
  except: ['cost_minor'],
  more: (its) => ({
    ...more(its),
    cost: its.from(z.number().nullable(), ['cost_minor'], ({ cost_minor }) => cost_minor && fromMinor(cost_minor)),
  }),
});
/** License as its company sees it: the cost only with billing access, and the customer notes (Z-15). */
export const PortalLicense = restrict(
  view(Licenses, {
    except: ['cost_minor', 'notes', 'customer_notes'],
    more: (its) => ({
      ...more(its),
      cost: its.asOf(z.number().nullable(), 'cost_minor', amountFor, null),
      notes: its.from(z.string(), ['customer_notes'], ({ customer_notes }) => customer_notes),
    }),
  }),
  ownCompany,
);

type Kept = 'status' | 'cost_minor' | 'product_key' | 'key_end' | 'seats_used';
interface More {
  /** In minor units. */
  readonly cost?: number | null | undefined;
  /** Stored sealed. Sending the masked form keeps the stored key (AS-07). */
  readonly product_key?: string | null | undefined;
  readonly asset_ids?: readonly number[] | undefined;
}
export type NewLicense = Omit<Given<typeof Licenses>, Kept> & More;
export type LicenseUpdate = Omit<Wanted<typeof Licenses>, Kept> & More;

export async function createLicense(
  ctx: Context,
  { cost, product_key = null, asset_ids = [], ...given }: NewLicense,
): Promise<License> {
  const links = await planLinks(ctx, given.company_number, [], asset_ids);
  const status = statusUntil(given.expires_at, today(ctx));
  const license = { ...given, status, cost_minor: cost, key_end: endOf(product_key), seats_used: links.after.length };
  return create(ctx, Licenses, license, {
    async store(row) {
      if (product_key !== null) await storeKey(ctx, row, product_key);
      await storeLinks(ctx, row.license_id, links);
    },
  });
}

/** Changes a license locked in the same transaction. `asset_ids` replaces its assets (AS-12). */
export async function updateLicense(
  ctx: Context,
  license: License,
  { cost, product_key, asset_ids, ...wanted }: LicenseUpdate,
): Promise<License> {
  const { license_id, company_number } = license;
  const links = asset_ids && (await planLinks(ctx, company_number, await installedOn(ctx, license_id), asset_ids));
  const kept = product_key === undefined || product_key === maskOf(license);
  const key = kept ? {} : { product_key: seal(ctx.app, license, product_key), key_end: endOf(product_key) };
  return change(
    ctx,
    Licenses,
    license,
    { ...wanted, ...key, cost_minor: cost, seats_used: links?.after.length },
    {
      extra: links && changedLinks(links),
      async store() {
        if (links) await storeLinks(ctx, license_id, links);
      },
    },
  );
}

/** Installs a license on another asset. @throws conflict() if already installed there, or no seat is free (AS-11) */
export async function installLicense(ctx: Context, license: License, asset_id: number): Promise<License> {
  const linked = await installedOn(ctx, license.license_id);
  if (linked.includes(asset_id)) throw conflict('The license is already linked to this asset');
  return updateLicense(ctx, license, { asset_ids: [...linked, asset_id] });
}

/** Removes a license from an asset. Returns false if it was not installed there. */
export async function uninstallLicense(ctx: Context, license: License, asset_id: number): Promise<boolean> {
  const linked = await installedOn(ctx, license.license_id);
  if (!linked.includes(asset_id)) return false;
  await updateLicense(ctx, license, { asset_ids: linked.filter((each) => each !== asset_id) });
  return true;
}

/** Returns the ids of the assets a license is installed on. */
export async function installedOn(ctx: Context, license_id: number): Promise<number[]> {
  return (await ctx.db.findBy(LicenseAsset, { license_id })).map(({ asset_id }) => asset_id);
}

/** Frees the license seats of a deleted asset (AS-05). */
export async function dropLicenseLinks(ctx: Context, asset_id: number): Promise<void> {
  const links = await ctx.db.findBy(LicenseAsset, { asset_id });
  const licenses = await lockAll(
    ctx,
    Licenses,
    links.map((each) => each.license_id),
  );
  await ctx.db.delete(LicenseAsset, { asset_id });
  await changeAll(ctx, Licenses, licenses, ({ seats_used }) => ({ seats_used: seats_used - 1 }));
}

async function storeLinks(ctx: Context, license_id: number, { added, removed }: LinkChange): Promise<void> {
  if (removed.length > 0) await ctx.db.delete(LicenseAsset, { license_id, asset_id: In(removed) });
  await ctx.db.insert(
    LicenseAsset,
    added.map((asset_id) => ({ license_id, asset_id })),
  );
}
