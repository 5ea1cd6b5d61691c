import { big, choice, day, flag, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Asset } from '@keelson/modules/assets';
import { Company, Employee } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';

export const backupTypes = ['full', 'incremental'] as const;
export const backupStates = ['completed', 'failed', 'running'] as const;
export const companyStates = ['not_configured', 'healthy', 'warning', 'failed'] as const;
export const requestStates = ['pending', 'in_progress', 'completed', 'rejected'] as const;
export const drillResults = ['passed', 'partial', 'failed'] as const;

/** A backed-up machine with a summary of its newest backups. Its status is that of the last finished one. */
export const BackupMachine = table(
  'backup_machine',
  {
    machine_id: id(),
    company_number: ref(Company),
    machine_name: text(255),
    /** The normalised name: `srv1` equals SRV1. */
    machine_key: key().hidden(),
    asset_id: ref(Asset).nullable(),
    /** Status of the last finished backup; null before the first. */
    last_status: choice('completed', 'failed').nullable(),
    last_finished_at: when().nullable(),
    last_completed_at: when().nullable(),
    next_backup_at: when().nullable(),
    /** Total size of all known completed backups. */
    stored_bytes: big().default(0),
    created_at: when(),
    /** When the machine was retired: missing backups no longer count. The next backup clears it. */
    retired_at: when().nullable(),
  },
  [
    ['company_number', 'machine_name', 'machine_id'],
    ['company_number', 'retired_at', 'last_status', 'last_completed_at', 'created_at'],
    ['machine_name', 'machine_id'],
    ['asset_id'],
  ],
  { unique: [['company_number', 'machine_key']] },
);
export type BackupMachine = Row<typeof BackupMachine>;

/** A backup of a machine, as its tool reports it (F-46). */
export const BackupRecord = table(
  'backup_record',
  {
    backup_id: id(),
    company_number: ref(Company),
    machine_id: ref(BackupMachine),
    asset_id: ref(Asset).nullable(),
    machine_name: text(255),
    backup_type: choice(...backupTypes),
    status: choice(...backupStates),
    size_bytes: big().default(0),
    started_at: when(),
    finished_at: when().nullable(),
    /** The tool's message, for technicians. */
    message: text(1000).default(''),
    /** The reporter. */
    source: text(255),
    /** The tool's own id, or else kind and start. A repeated report of the same backup updates its row. */
    record_key: key().hidden(),
    created_at: when(),
  },
  [
    ['started_at', 'backup_id', 'status', 'backup_type'],
    ['company_number', 'started_at', 'backup_id', 'status', 'backup_type'],
    ['company_number', 'status', 'started_at', 'backup_id', 'backup_type'],
    ['status', 'started_at', 'backup_id', 'backup_type'],
    ['machine_id', 'started_at', 'backup_id', 'status', 'backup_type'],
    ['asset_id', 'started_at', 'backup_id', 'status', 'backup_type'],
  ],
  { unique: [['machine_id', 'record_key']] },
);
export type BackupRecord = Row<typeof BackupRecord>;

/** A company's backup status, as last computed by the job, and its last restore drill. */
export const BackupState = table(
  'backup_state',
  {
    company_number: ref(Company).primary(),
    status: choice(...companyStates),
    /** A backup was reported at least once. */
    reported: flag().default(false),
    /** When the current status began. */
    since: when(),
    machines: int().default(0),
    failed_machines: int().default(0),
    late_machines: int().default(0),
    /** Null if a restore was never tested. */
    last_drill_on: day().nullable(),
    last_drill_result: choice(...drillResults).nullable(),
    updated_at: when(),
  },
  [
    ['status', 'company_number'],
    ['last_drill_result', 'company_number'],
    ['reported', 'company_number'],
  ],
);
export type BackupState = Row<typeof BackupState>;

/** A request to restore data (F-47). Its status follows its ticket (M-30). */
export const RestoreRequest = table(
  'restore_request',
  {
    request_id: id(),
    company_number: ref(Company),
    employee_number: ref(Employee),
    description: text(),
    /** Not a foreign key: backups are deleted after a while; this id is kept. */
    backup_id: int().nullable(),
    asset_id: ref(Asset).nullable(),
    items: json(z.array(z.string())).default([]),
    restore_point: when().nullable(),
    destination: text(500).nullable(),
    priority: int(),
    status: choice(...requestStates).default('pending'),
    ticket_id: ref(Ticket).nullable().unique(),
    created_at: when(),
    updated_at: when(),
  },
  [
    ['created_at', 'request_id', 'status'],
    ['status', 'created_at', 'request_id'],
    ['company_number', 'created_at', 'request_id', 'status'],
    ['company_number', 'status', 'created_at', 'request_id'],
    ['employee_number', 'created_at', 'request_id', 'status', 'company_number'],
  ],
);
export type RestoreRequest = Row<typeof RestoreRequest>;

/** A tested restore and its result. Its evidence is attached. */
export const RestoreDrill = table(
  'restore_drill',
  {
    drill_id: id(),
    company_number: ref(Company),
    /** What was restored: `Mail server, one mailbox`. */
    subject: text(255),
    asset_id: ref(Asset).nullable(),
    /** Not a foreign key: backups are deleted after a while; this id is kept. */
    backup_id: int().nullable(),
    tested_on: day(),
    result: choice(...drillResults),
    tested_by: text(255),
    notes: text().default(''),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['tested_on', 'drill_id', 'result', 'deleted_at'],
    ['company_number', 'tested_on', 'drill_id', 'result', 'deleted_at'],
    ['result', 'tested_on', 'drill_id', 'deleted_at'],
  ],
);
export type RestoreDrill = Row<typeof RestoreDrill>;
