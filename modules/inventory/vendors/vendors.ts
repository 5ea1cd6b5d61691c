// Vendors that sell and support customers' equipment.
import {
  by,
  changeAll,
  create,
  In,
  IsNull,
  normalised,
  record,
  searched,
  view,
  type Context,
  type Given,
} from '@keelson/core';
import { Contracts } from '../contracts/contracts.ts';
import { Contract } from '../contracts/entities.ts';
import { VendorNames } from '../names.ts';
import { Vendor } from './entities.ts';

export const Vendors = record(Vendor, {
  title: 'Vendor',
  call: ({ name }) => name,
  filters: () => ({
    search: searched(Vendor),
  }),
  sorts: { name: by('name') },
  order: 'asc',
  names: VendorNames,
  taken: ({ name }) => `name ${name} already exists`,
  derive: ({ name }) => ({ name_key: normalised(name) }),
  /** Keeps the contracts and clears their reference (V-26). */
  async removed(ctx, vendors) {
    const vendor_id = vendors.map((each) => each.vendor_id);
    await changeAll(
      ctx,
      Contracts,
      await ctx.db.find(Contract, {
        where: { vendor_id: In(vendor_id), deleted_at: IsNull() },
        lock: { mode: 'pessimistic_write' },
      }),
      {
        vendor_id: null,
      },
    );
  },
});

export const VendorItem = view(Vendors);

/** Adds a vendor. The name must be unique (V-27). */
export const createVendor = (ctx: Context, given: Given<typeof Vendors>) => create(ctx, Vendors, given);
