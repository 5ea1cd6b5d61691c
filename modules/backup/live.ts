import { liveRecord, signedIn } from '@keelson/core';
import { ReadAssets } from '@keelson/modules/assets';
import { BackupState, RestoreDrill, RestoreRequest } from './entities.ts';
import { visibleRequests } from './visible.ts';

export default [
  liveRecord(RestoreRequest, { admin: ReadAssets, helpdesk: { access: signedIn, visible: visibleRequests } }),
  liveRecord(BackupState, {
    admin: ReadAssets,
    helpdesk: { access: signedIn },
    paths: ['/backup/status', '/backup/grid.php'],
  }),
  liveRecord(RestoreDrill, { admin: ReadAssets, helpdesk: { access: signedIn } }),
];
