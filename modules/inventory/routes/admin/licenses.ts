import { admin, findOr404, input, item, nounRoutes } from '@keelson/core';
import { needsProof, revealers } from '@keelson/core/surfaces';
import { LicenseDetail, readLicense } from '../../licenses/license-detail.ts';
import { createLicense, LicenseItem, Licenses, updateLicense } from '../../licenses/licenses.ts';
import { RevealedKey, revealKey } from '../../licenses/product-key.ts';
import { assetIds } from '../../links.ts';
import { ReadLicenses, WriteLicenses } from '../../permissions.ts';

export default [
  ...nounRoutes(admin, '/licenses.php?id={id}', Licenses, {
    titles: {
      list: 'List licenses',
      create: 'Create a license',
      read: 'Read a license with its assets',
      update: 'Update a license',
      delete: 'Delete a license',
    },
    read: ReadLicenses,
    write: WriteLicenses,
    view: LicenseItem,
    detail: { shape: LicenseDetail, show: readLicense },
    fields: {
      company_number: input.id(),
      name: input.text(255),
      vendor: input.optionalText(255),
      product_key: input.clearable(input.secret(4096)),
      license_type: input.optionalText(255),
      seats: input.clearable(input.int(0, 1_000_000)),
      purchase_date: input.clearable(input.day()),
      expires_at: input.clearable(input.day()),
      cost: input.clearable(input.money({ min: 0 })),
      notes: input.optionalLongText(),
      customer_notes: input.optionalLongText(),
      asset_ids: assetIds,
    },
    create: createLicense,
    change: updateLicense,
  }),
  admin.post('/licenses.php?action=reveal&id={id}', {
    title: 'Reveal the product key of a license',
    access: revealers(WriteLicenses),
    addition: true,
    forbiddenExtra: needsProof,
    slow: true,
    returns: item(RevealedKey),
    load: (ctx, { id }) => findOr404(ctx, Licenses, id),
    handle: (ctx, { item: license }) => revealKey(ctx, license),
  }),
];
