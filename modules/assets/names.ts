import { defineNames } from '@keelson/core';
import { Asset } from './entities/asset.ts';

export const AssetNames = defineNames(Asset, ['machine_name'], (row) => row.machine_name);
