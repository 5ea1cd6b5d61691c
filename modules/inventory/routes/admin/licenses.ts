import { admin, findOr404, item, nounRoutes } from '@keelson/core';
import { importRoutes } from '@keelson/core/record';
import { needsProof, revealers } from '@keelson/core/surfaces';
import { LicenseDetail, readLicense } from '../../licenses/license-detail.ts';
import { licenseFields } from '../../licenses/license-fields.ts';
import { LicenseImport } from '../../licenses/license-import.ts';
import { createLicense, LicenseItem, Licenses, updateLicense } from '../../licenses/licenses.ts';
import { RevealedKey, revealKey } from '../../licenses/product-key.ts';
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
    fields: licenseFields,
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
  ...importRoutes(admin, '/licenses.php', LicenseImport),
];
