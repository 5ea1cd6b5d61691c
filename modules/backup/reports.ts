// Report sources.
import { reportSource, signedIn } from '@keelson/core';
import { ReadAssets } from '@keelson/modules/assets';
import { DrillItem } from './drills.ts';
import { BackupItem, PortalBackup } from './records/records.ts';
import { RequestItem } from './restore-requests.ts';

const company = { company_number: 'Company number', company_name: 'Company' } as const;
const backupFields = {
  backup_id: 'Backup ID',
  machine_name: 'Machine',
  backup_type: 'Type',
  status: 'Status',
  size_bytes: 'Bytes',
  started_at: 'Started',
  finished_at: 'Finished',
} as const;

export default [
  reportSource('admin', 'backups', {
    title: 'Backups',
    access: ReadAssets,
    view: BackupItem,
    fields: { ...backupFields, message: 'Message', source: 'Reported by', ...company },
  }),
  reportSource('helpdesk', 'backups', {
    title: 'Backups',
    access: signedIn,
    view: PortalBackup,
    fields: backupFields,
  }),
  reportSource('admin', 'restore_requests', {
    title: 'Restore requests',
    access: ReadAssets,
    view: RequestItem,
    fields: {
      request_id: 'Request ID',
      description: 'Description',
      status: 'Status',
      priority: 'Priority',
      requested_by: 'Requested by',
      restore_point: 'Restore point',
      destination: 'Destination',
      ticket_id: 'Ticket ID',
      ...company,
      created_at: 'Created',
      updated_at: 'Updated',
    },
  }),
  reportSource('admin', 'restore_drills', {
    title: 'Restore drills',
    access: ReadAssets,
    view: DrillItem,
    fields: {
      drill_id: 'Drill ID',
      subject: 'What was restored',
      tested_on: 'Tested on',
      result: 'Result',
      tested_by: 'Tested by',
      notes: 'Notes',
      ...company,
      created_at: 'Created',
      updated_at: 'Updated',
    },
  }),
];
