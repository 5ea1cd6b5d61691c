import { liveRecord } from '@keelson/core';
import { ReadAssets } from '@keelson/modules/assets';
import { Alert } from './entities.ts';

export default [liveRecord(Alert, { admin: ReadAssets })];
