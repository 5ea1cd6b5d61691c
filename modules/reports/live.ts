import { liveRecord, signedIn } from '@keelson/core';
import { OwnReport } from './definitions.ts';
import { ReadSettings } from '@keelson/modules/system';
import { Report, Spreadsheet } from './entities.ts';

// Technicians hear nothing: employees' reports are none of their business, and it is one table.
export default [
  liveRecord(Report, { helpdesk: { access: signedIn, visible: OwnReport.visible } }),
  liveRecord(Spreadsheet, { admin: ReadSettings }),
];
