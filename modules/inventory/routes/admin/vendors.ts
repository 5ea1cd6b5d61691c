import {
  admin,
  create,
  change,
  created,
  findOr404,
  input,
  item,
  list,
  lock,
  nothing,
  pageOf,
  remove,
  z,
} from '@keelson/core';
import { ReadContracts, WriteContracts } from '../../permissions.ts';
import { vendorStatuses } from '../../vendors/entities.ts';
import { readVendor, VendorDetail } from '../../vendors/vendor-detail.ts';
import { VendorItem, Vendors } from '../../vendors/vendors.ts';

const fields = {
  contact_name: input.optionalText(255),
  email: input.optionalEmail(),
  phone: input.phone(),
  website: input.optionalUrl(),
  address: input.optionalText(255),
  account_number: input.optionalText(255),
  notes: input.optionalLongText(),
  status: input.optional(input.choice(vendorStatuses)),
};
const name = input.text(255, { compared: true });

export default [
  admin.get('/vendors.php', {
    title: 'List vendors',
    access: ReadContracts,
    query: admin.paging(VendorItem.query),
    returns: list(VendorItem),
    handle: (ctx, { query }) => pageOf(ctx, VendorItem, query),
  }),
  admin.post('/vendors.php', {
    title: 'Create a vendor',
    access: WriteContracts,
    body: z.object({ name, ...fields }),
    returns: created(VendorDetail),
    handle: async (ctx, { body }) => readVendor(ctx, await create(ctx, Vendors, body)),
  }),
  admin.get('/vendors.php?id={id}', {
    title: 'Read a vendor with its contracts and assets',
    access: ReadContracts,
    returns: item(VendorDetail),
    load: (ctx, { id }) => findOr404(ctx, Vendors, id),
    handle: (ctx, { item: vendor }) => readVendor(ctx, vendor),
  }),
  admin.put('/vendors.php?id={id}', {
    title: 'Update a vendor',
    access: WriteContracts,
    body: input.changes({ name, ...fields }),
    returns: item(VendorDetail),
    load: (ctx, { id }) => lock(ctx, Vendors, id),
    handle: async (ctx, { item: vendor, body }) => readVendor(ctx, await change(ctx, Vendors, vendor, body)),
  }),
  admin.delete('/vendors.php?id={id}', {
    title: 'Delete a vendor',
    access: WriteContracts,
    returns: nothing(),
    load: (ctx, { id }) => lock(ctx, Vendors, id),
    handle: (ctx, { item: vendor }) => remove(ctx, Vendors, vendor),
  }),
];
