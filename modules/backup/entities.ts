import { big, choice, day, flag, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Asset } from '@keelson/modules/assets';
import { Company, Employee } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';

export const backupTypes = ['full', 'incremental'] as const;
export const backupStates = ['completed', 'failed', 'running'] as const;
export const companyStates = ['not_configured', 'healthy', 'warning', 'failed'] as const;
export const requestStates = ['pending', 'in_progress', 'completed', 'rejected'] as const;
export const drillResults = ['passed', 'partial', 'failed'] as const;

/** A machine that is backed up, with what its newest backups came to. Its status is that of the last one that ended. */
export const BackupMachine = table(
  'backup_machine',
  {
    machine_id: id(),
    company_number: ref(Company),
    machine_name: text(255),
    /** The normalised name: `srv1` is SRV1. */
    machine_key: key().hidden(),
    asset_id: ref(Asset).nullable(),
    /** Of the last backup that ended; null while none has. */
    last_status: choice('completed', 'failed').nullable(),
    last_finished_at: when().nullable(),
    last_completed_at: when().nullable(),
    next_backup_at: when().nullable(),
    /** Of all completed backups that are known. */
    stored_bytes: big().default(0),
    created_at: when(),
    /** It is no longer backed up, and nobody misses its backups. The next one clears it. */
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
    /** What the tool says about it, for technicians. */
    message: text(1000).default(''),
    /** Who reported it. */
    source: text(255),
    /** The tool's own id, or else kind and start: a report of the same backup changes its row. */
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

/** How the backups of a company are, as the job has found it last, and its last restore drill. */
export const BackupState = table(
  'backup_state',
  {
    company_number: ref(Company).primary(),
    status: choice(...companyStates),
    /** Whether a backup was ever reported. */
    reported: flag().default(false),
    /** Since when it has this status. */
    since: when(),
    machines: int().default(0),
    failed_machines: int().default(0),
    late_machines: int().default(0),
    /** Null: a restore was never tried. */
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

/** Somebody wants something back (F-47). It follows its ticket (M-30). */
export const RestoreRequest = table(
  'restore_request',
  {
    request_id: id(),
    company_number: ref(Company),
    employee_number: ref(Employee),
    description: text(),
    /** Backups are forgotten after a while; this is not. */
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

/** A restore that was tried, and how it went. Its evidence is attached. */
export const RestoreDrill = table(
  'restore_drill',
  {
    drill_id: id(),
    company_number: ref(Company),
    /** What was restored: `Mail server, one mailbox`. */
    subject: text(255),
    asset_id: ref(Asset).nullable(),
    /** Backups are forgotten after a while; this is not. */
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
