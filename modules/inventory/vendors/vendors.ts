// Vendors: who sells and supports what customers have.
import { by, changeAll, normalised, record, searched, view } from '@keelson/core';
import { Contracts } from '../contracts/contracts.ts';
import { Contract } from '../contracts/entities.ts';
import { VendorNames } from '../names.ts';
import { Vendor, VendorCount } from './entities.ts';

export const Vendors = record(Vendor, {
  title: 'Vendor',
  call: ({ name }) => name,
  counters: [VendorCount],
  filters: (its) => ({
    search: searched(Vendor),
  }),
  sorts: { name: by('name') },
  order: 'asc',
  names: VendorNames,
  taken: ({ name }) => `name ${name} already exists`,
  derive: ({ name }) => ({ name_key: normalised(name) }),
  /** Its contracts stay, without it (V-26). */
  async removed(ctx, vendors) {
    const vendor_id = vendors.map((each) => each.vendor_id);
    await changeAll(ctx, Contracts, await ctx.db.find(Contract, { vendor_id, deleted_at: null }, { lock: true }), {
      vendor_id: null,
    });
  },
});

export const VendorItem = view(Vendors);
