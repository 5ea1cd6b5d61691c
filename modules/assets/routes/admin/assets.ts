import { admin, input, nounRoutes } from '@keelson/core';
import { AssetDetail, readAsset } from '../../assets/asset-detail.ts';
import { AssetItem } from '../../assets/asset-list.ts';
import { Assets, createAsset, updateAsset } from '../../assets/assets.ts';
import { replaceCredentials } from '../../credentials/credentials.ts';
import { assetFields, credentialsField } from '../../inputs.ts';
import { DeleteAssets, ReadAssets, WriteAssets } from '../../permissions.ts';

export default nounRoutes(admin, '/assets.php?id={id}', Assets, {
  titles: {
    list: 'List all assets',
    create: 'Create an asset for a company',
    read: 'Read an asset in full',
    update: 'Update any asset',
    delete: 'Delete any asset',
  },
  read: ReadAssets,
  write: WriteAssets,
  view: AssetItem,
  detail: { shape: AssetDetail, show: readAsset },
  delete: DeleteAssets,
  fields: { ...assetFields, credentials: credentialsField },
  newFields: { company_number: input.id() },
  async create(ctx, { credentials, ...given }) {
    const asset = await createAsset(ctx, given);
    if (credentials) await replaceCredentials(ctx, asset, credentials);
    return asset;
  },
  async change(ctx, asset, { credentials, ...wanted }) {
    const after = await updateAsset(ctx, asset, wanted);
    if (credentials) await replaceCredentials(ctx, after, credentials);
    return after;
  },
});
