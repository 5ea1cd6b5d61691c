import { created, helpdesk, input, is, item, list, nothing, pageOf, param, z } from '@keelson/core';
import { importTemplate, ImportTemplate } from '@keelson/core/files';
import { editsAssets, findPortalAsset, lockPortalAsset, readsAssets } from '../../access.ts';
import { PortalAssetDetail, readPortalAsset } from '../../assets/asset-detail.ts';
import { AssetOption, PortalAsset } from '../../assets/asset-list.ts';
import { createAsset, deleteAsset, updateAsset } from '../../assets/assets.ts';
import { ChangeItem } from '../../history/history.ts';
import { assetColumnsOfFiles } from '../../import/columns.ts';
import { AssetImportResult, importOwnAssets, portalOptions } from '../../import/import.ts';
import { assetFields } from '../../inputs.ts';
import { AddressItem, readAddresses } from '../../parts/addresses.ts';

const { type, status, search } = PortalAsset.query;

export default [
  helpdesk.get('/assets', {
    title: 'List your company’s assets',
    access: readsAssets,
    query: helpdesk.paging({ type, status, q: param.search(), search, mine: param.flag() }),
    returns: list(PortalAsset, 'assets'),
    handle: (ctx, { query: { q, search: alias, mine, ...query } }) =>
      pageOf(
        ctx,
        PortalAsset,
        { ...query, search: q ?? alias },
        { where: mine ? [is('assigned_employee', ctx.actor.employee_number)] : [] },
      ),
  }),
  helpdesk.get('/assets/options', {
    title: 'List assets for selection',
    access: readsAssets,
    query: helpdesk.paging({ search }, { whole: true }),
    returns: list(AssetOption, 'options'),
    handle: (ctx, { query }) => pageOf(ctx, AssetOption, query),
  }),
  helpdesk.get('/assets/template', {
    title: 'Read the template for new assets',
    access: readsAssets,
    returns: item(ImportTemplate),
    handle: () => importTemplate(assetColumnsOfFiles),
  }),
  helpdesk.get('/assets/{id}', {
    title: 'Read an asset',
    access: readsAssets,
    returns: item(PortalAssetDetail),
    load: (ctx, { id }) => findPortalAsset(ctx, id),
    handle: (ctx, { item: asset }) => readPortalAsset(ctx, asset),
  }),
  helpdesk.post('/assets', {
    title: 'Create an asset',
    access: editsAssets,
    body: z.object(assetFields),
    returns: created(PortalAssetDetail),
    handle: async (ctx, { body }) => {
      const { company_number } = ctx.actor;
      return readPortalAsset(ctx, await createAsset(ctx, { ...body, company_number }));
    },
  }),
  helpdesk.put('/assets/{id}', {
    title: 'Update an asset',
    access: editsAssets,
    body: input.changes(assetFields),
    returns: item(PortalAssetDetail),
    load: (ctx, { id }) => lockPortalAsset(ctx, id),
    handle: async (ctx, { item: asset, body }) => readPortalAsset(ctx, await updateAsset(ctx, asset, body)),
  }),
  helpdesk.delete('/assets/{id}', {
    title: 'Delete an asset',
    access: editsAssets,
    returns: nothing(),
    load: (ctx, { id }) => lockPortalAsset(ctx, id),
    handle: (ctx, { item: asset }) => deleteAsset(ctx, asset),
  }),
  helpdesk.post('/assets/import', {
    title: 'Import assets',
    access: editsAssets,
    upload: 'import',
    // A dry run stores nothing to log.
    unlogged: true,
    query: portalOptions,
    returns: item(AssetImportResult),
    slow: true,
    handle: (ctx, { uploads, body: fields, query }) => importOwnAssets(ctx, { uploads, fields, query }),
  }),
  helpdesk.get('/assets/{id}/history', {
    title: 'List the changes of an asset of yours',
    access: readsAssets,
    addition: true,
    query: helpdesk.paging({ field: ChangeItem.query.field }),
    returns: list(ChangeItem, 'history'),
    load: (ctx, { id }) => findPortalAsset(ctx, id),
    handle: (ctx, { item: { asset_id }, query }) => pageOf(ctx, ChangeItem, { ...query, asset_id }),
  }),
  helpdesk.get('/assets/{id}/ip-addresses', {
    title: 'List an asset’s IP addresses',
    access: readsAssets,
    query: helpdesk.paging({}, { whole: true }),
    returns: list(AddressItem, 'ip_addresses'),
    load: (ctx, { id }) => findPortalAsset(ctx, id),
    handle: async (ctx, { item: { asset_id }, query: { page, size } }) => {
      const rows = await readAddresses(ctx, asset_id);
      return { rows: rows.slice((page - 1) * size, page * size), total: rows.length };
    },
  }),
];
