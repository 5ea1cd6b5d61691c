import { liveRecord, signedIn } from '@keelson/core';
import { ReadSettings } from '@keelson/modules/system';
import { OwnReport } from './definitions.ts';
import { Report, Spreadsheet } from './entities.ts';

// No events for technicians: they must not learn of employees' reports, which share the table.
export default [
  liveRecord(Report, { helpdesk: { access: signedIn, visible: OwnReport.visible } }),
  liveRecord(Spreadsheet, { admin: ReadSettings }),
];
