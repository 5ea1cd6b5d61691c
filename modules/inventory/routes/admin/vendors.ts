import { admin, input, nounRoutes } from '@keelson/core';
import { ReadContracts, WriteContracts } from '../../permissions.ts';
import { vendorStatuses } from '../../vendors/entities.ts';
import { readVendor, VendorDetail } from '../../vendors/vendor-detail.ts';
import { VendorItem, Vendors } from '../../vendors/vendors.ts';

export default nounRoutes(admin, '/vendors.php?id={id}', Vendors, {
  titles: {
    list: 'List vendors',
    create: 'Create a vendor',
    read: 'Read a vendor with its contracts and assets',
    update: 'Update a vendor',
    delete: 'Delete a vendor',
  },
  read: ReadContracts,
  write: WriteContracts,
  view: VendorItem,
  detail: { shape: VendorDetail, show: readVendor },
  fields: {
    name: input.text(255, { compared: true }),
    contact_name: input.optionalText(255),
    email: input.optionalEmail(),
    phone: input.phone(),
    website: input.optionalUrl(),
    address: input.optionalText(255),
    account_number: input.optionalText(255),
    notes: input.optionalLongText(),
    status: input.optional(input.choice(vendorStatuses)),
  },
});
