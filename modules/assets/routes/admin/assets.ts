import { admin, created, findOr404, input, item, list, nothing, pageOf, z } from '@keelson/core';
import { AssetDetail, readAsset } from '../../assets/asset-detail.ts';
import { AssetItem } from '../../assets/asset-list.ts';
import { Assets, createAsset, deleteAsset, lockAsset, updateAsset } from '../../assets/assets.ts';
import { replaceCredentials } from '../../credentials/credentials.ts';
import { assetFields, credentialsField } from '../../inputs.ts';
import { DeleteAssets, ReadAssets, WriteAssets } from '../../permissions.ts';

const fields = { ...assetFields, credentials: credentialsField };

export default [
  admin.get('/assets.php', {
    title: 'List all assets',
    access: ReadAssets,
    query: admin.paging(AssetItem.query),
    returns: list(AssetItem),
    handle: (ctx, { query }) => pageOf(ctx, AssetItem, query),
  }),
  admin.post('/assets.php', {
    title: 'Create an asset for a company',
    access: WriteAssets,
    body: z.object({ company_number: input.id(), ...fields }),
    returns: created(AssetDetail),
    handle: async (ctx, { body: { credentials, ...given } }) => {
      const asset = await createAsset(ctx, given);
      if (credentials) await replaceCredentials(ctx, asset, credentials);
      return readAsset(ctx, asset);
    },
  }),
  admin.get('/assets.php?id={id}', {
    title: 'Read an asset with all that belongs to it',
    access: ReadAssets,
    returns: item(AssetDetail),
    load: (ctx, { id }) => findOr404(ctx, Assets, id),
    handle: (ctx, { item: asset }) => readAsset(ctx, asset),
  }),
  admin.put('/assets.php?id={id}', {
    title: 'Update any asset',
    access: WriteAssets,
    body: input.changes(fields),
    returns: item(AssetDetail),
    load: (ctx, { id }) => lockAsset(ctx, id),
    handle: async (ctx, { item: asset, body: { credentials, ...wanted } }) => {
      const after = await updateAsset(ctx, asset, wanted);
      if (credentials) await replaceCredentials(ctx, after, credentials);
      return readAsset(ctx, after);
    },
  }),
  admin.delete('/assets.php?id={id}', {
    title: 'Delete any asset',
    access: DeleteAssets,
    returns: nothing(),
    load: (ctx, { id }) => lockAsset(ctx, id),
    handle: (ctx, { item: asset }) => deleteAsset(ctx, asset),
  }),
];
