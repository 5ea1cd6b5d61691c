import {
  admin,
  created,
  findOr404,
  input,
  item,
  list,
  lock,
  nothing,
  pageOf,
  remove,
  revealers,
  z,
} from '@keelson/core';
import { LicenseDetail, readLicense } from '../../licenses/license-detail.ts';
import { createLicense, LicenseItem, Licenses, updateLicense } from '../../licenses/licenses.ts';
import { RevealedKey, revealKey } from '../../licenses/product-key.ts';
import { assetIds } from '../../links.ts';
import { ReadLicenses, WriteLicenses } from '../../permissions.ts';

const required = { company_number: input.id(), name: input.text(255) };
const optional = {
  vendor: input.optionalText(255),
  product_key: input.clearable(input.secret(4096)),
  license_type: input.optionalText(255),
  seats: input.clearable(input.int(0, 1_000_000)),
  purchase_date: input.clearable(input.day()),
  expires_at: input.clearable(input.day()),
  cost: input.clearable(input.money({ min: 0 })),
  notes: input.optionalLongText(),
  asset_ids: assetIds,
};

export default [
  admin.get('/licenses.php', {
    title: 'List licenses',
    access: ReadLicenses,
    query: admin.paging(LicenseItem.query),
    returns: list(LicenseItem),
    handle: (ctx, { query }) => pageOf(ctx, LicenseItem, query),
  }),
  admin.post('/licenses.php', {
    title: 'Create a license',
    access: WriteLicenses,
    body: z.object({ ...required, ...optional }),
    returns: created(LicenseDetail),
    handle: async (ctx, { body }) => readLicense(ctx, await createLicense(ctx, body)),
  }),
  admin.get('/licenses.php?id={id}', {
    title: 'Read a license with its assets',
    access: ReadLicenses,
    returns: item(LicenseDetail),
    load: (ctx, { id }) => findOr404(ctx, Licenses, id),
    handle: (ctx, { item: license }) => readLicense(ctx, license),
  }),
  admin.put('/licenses.php?id={id}', {
    title: 'Update a license',
    access: WriteLicenses,
    body: input.changes({ ...required, ...optional }),
    returns: item(LicenseDetail),
    load: (ctx, { id }) => lock(ctx, Licenses, id),
    handle: async (ctx, { item: license, body }) => readLicense(ctx, await updateLicense(ctx, license, body)),
  }),
  admin.delete('/licenses.php?id={id}', {
    title: 'Delete a license',
    access: WriteLicenses,
    returns: nothing(),
    load: (ctx, { id }) => lock(ctx, Licenses, id),
    handle: (ctx, { item: license }) => remove(ctx, Licenses, license),
  }),
  admin.post('/licenses.php?action=reveal&id={id}', {
    title: 'Reveal the product key of a license',
    access: revealers(WriteLicenses),
    addition: true,
    slow: true,
    returns: item(RevealedKey),
    load: (ctx, { id }) => findOr404(ctx, Licenses, id),
    handle: (ctx, { item: license }) => revealKey(ctx, license),
  }),
];
