import { admin, input, item, z, type Access, type Admin } from '@keelson/core';
import { ImportPreview } from '@keelson/core/files';
import { BulkAssets, bulkActions, changeAssets } from '../../assets/bulk.ts';
import { adminOptions, AssetImportResult, importAssets, previewAssets } from '../../import/import.ts';
import { assetColumns } from '../../inputs.ts';
import { DeleteAssets, WriteAssets } from '../../permissions.ts';

/** The required permission depends on the bulk action (Z-46), so the handler checks it with the body. */
const writeOrDelete: Access<Admin> = Object.freeze({
  title: 'assets:write (delete: assets:delete)',
  allows: (actor: Admin) => WriteAssets.allows(actor) || DeleteAssets.allows(actor),
});
/** Excludes fields that are unique to each asset. */
const { serial_number: _, ...alike } = assetColumns;

export default [
  admin.post('/assets.php?action=import', {
    title: 'Import assets of any company',
    access: WriteAssets,
    upload: 'import',
    // A dry run stores nothing to log.
    unlogged: true,
    query: adminOptions,
    returns: item(AssetImportResult),
    slow: true,
    handle: (ctx, { uploads, body: fields, query }) => importAssets(ctx, { uploads, fields, query }),
  }),
  admin.post('/assets.php?action=import-preview', {
    title: 'Preview an asset import',
    addition: true,
    access: WriteAssets,
    upload: 'import',
    unlogged: true,
    returns: item(ImportPreview),
    slow: true,
    handle: (_ctx, { uploads }) => previewAssets(uploads),
  }),
  admin.post('/bulk/assets.php', {
    title: 'Bulk-update assets',
    operationId: 'bulkUpdateAssets',
    access: writeOrDelete,
    freeAction: true,
    body: z.object({
      action: input.choice(bulkActions),
      asset_ids: input.ids(),
      fields: z.object(alike).partial().optional(),
      status: alike.status,
      assigned_employee: alike.assigned_employee,
      site_number: alike.site_number,
    }),
    returns: item(BulkAssets),
    handle: (ctx, { body }) => changeAssets(ctx, body),
  }),
];
