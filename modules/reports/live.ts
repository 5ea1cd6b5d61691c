import { liveRecord, signedIn } from '@keelson/core';
import { OwnReport } from './definitions.ts';
import { Report } from './entities.ts';

// Technicians hear nothing: employees' reports are none of their business, and it is one table.
export default [liveRecord(Report, { helpdesk: { access: signedIn, visible: OwnReport.visible } })];
