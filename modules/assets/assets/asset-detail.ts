// An asset with all its parts (F-08).
import { show, showOne, z, type Context, type EmployeeActor } from '@keelson/core';
import { showSlot } from '@keelson/core/plugin';
import { seesCredentials } from '../access.ts';
import {
  CredentialItem,
  PortalCredential,
  readCredentials,
  readPortalCredentials,
} from '../credentials/credentials.ts';
import type { Asset } from '../entities/asset.ts';
import { AddressItem, readAddresses } from '../parts/addresses.ts';
import { readSoftware, SoftwareItem } from '../parts/software.ts';
import { PortItem, readPorts } from '../ports/ports.ts';
import { AssetContracts, AssetLicenses } from '../slots.ts';
import { AssetItem, PortalAsset } from './asset-list.ts';

const parts = {
  ports: z.array(PortItem.shape),
  credentials: z.array(CredentialItem.shape),
  licenses: AssetLicenses.shape,
  contracts: AssetContracts.shape,
  ip_addresses: z.array(AddressItem),
};

export const AssetDetail = AssetItem.shape.extend({ ...parts, software: z.array(SoftwareItem.shape) });
export const PortalAssetDetail = PortalAsset.shape.extend({ ...parts, credentials: z.array(PortalCredential.shape) });

export async function readAsset(ctx: Context, asset: Asset) {
  const { asset_id } = asset;
  return {
    ...(await showOne(ctx, AssetItem, asset)),
    ...(await readParts(ctx, asset)),
    credentials: await show(ctx, CredentialItem, await readCredentials(ctx, asset_id)),
    software: await show(ctx, SoftwareItem, await readSoftware(ctx, asset_id)),
  };
}

/**
 * Returns an asset as its company's employees see it. Includes credentials only for those who may change assets
 * (AS-08).
 */
export async function readPortalAsset(ctx: Context<EmployeeActor>, asset: Asset) {
  const credentials = seesCredentials(ctx.actor) ? await readPortalCredentials(ctx, asset.asset_id) : [];
  return {
    ...(await showOne(ctx, PortalAsset, asset)),
    ...(await readParts(ctx, asset)),
    credentials: await show(ctx, PortalCredential, credentials),
  };
}

async function readParts(ctx: Context, { asset_id }: Asset) {
  const licensesOf = await showSlot(ctx, AssetLicenses, [asset_id]);
  const contractsOf = await showSlot(ctx, AssetContracts, [asset_id]);
  return {
    ports: await show(ctx, PortItem, await readPorts(ctx, asset_id)),
    licenses: licensesOf(asset_id),
    contracts: contractsOf(asset_id),
    ip_addresses: await readAddresses(ctx, asset_id),
  };
}
