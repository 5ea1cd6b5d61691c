import { administrators, liveRecord } from '@keelson/core';
import { ReadSettings } from '@keelson/modules/system';
import { ApiKey } from './entities.ts';

export default [liveRecord(ApiKey, { admin: administrators(ReadSettings), paths: ['/settings/api-keys.php'] })];
