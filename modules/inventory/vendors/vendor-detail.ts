// Vendor detail with its contracts and the assets they cover (F-19).
import { In, IsNull, show, showOne, view, z, type Context } from '@keelson/core';
import { CompanyNames } from '@keelson/modules/directory';
import { Contracts } from '../contracts/contracts.ts';
import { Contract, ContractAsset } from '../contracts/entities.ts';
import { LinkedAsset, MOST_LINKS, readLinkedAssets } from '../links.ts';
import type { Vendor } from './entities.ts';
import { VendorItem } from './vendors.ts';

const VendorContract = view(Contracts, {
  only: [
    'contract_id',
    'contract_number',
    'name',
    'contract_type',
    'company_number',
    'status',
    'start_date',
    'end_date',
  ],
  more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
});
export const VendorDetail = VendorItem.shape.extend({
  contracts: z.array(VendorContract.shape),
  assets: z.array(LinkedAsset),
});

export async function readVendor(ctx: Context, vendor: Vendor) {
  const of = { vendor_id: vendor.vendor_id, deleted_at: IsNull() };
  const contracts = await ctx.db.find(Contract, { where: of, order: { contract_id: 'DESC' }, take: MOST_LINKS });
  const contract_id = contracts.map((each) => each.contract_id);
  const links =
    contracts.length === 0
      ? []
      : await ctx.db.find(ContractAsset, { where: { contract_id: In(contract_id) }, take: MOST_LINKS });
  return {
    ...(await showOne(ctx, VendorItem, vendor)),
    contracts: await show(ctx, VendorContract, contracts),
    assets: await readLinkedAssets(
      ctx,
      links.map((each) => each.asset_id),
    ),
  };
}
