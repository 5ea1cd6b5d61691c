import { liveRecord } from '@keelson/core';
import { readsAssets } from './access.ts';
import { Asset } from './entities/asset.ts';
import { ReadAssets } from './permissions.ts';

export default [liveRecord(Asset, { admin: ReadAssets, helpdesk: { access: readsAssets } })];
