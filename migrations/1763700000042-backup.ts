// Initial tables of customer backups. Later changes are separate migrations.
import { z } from 'zod';
import { migration } from '../core/database/migrate.ts';
import { big, choice, day, id, int, json, key, ref, text, when } from '../core/database/table.ts';

const company_number = ref('company.company_number');
const asset_id = ref('asset.asset_id').nullable();
const times = { created_at: when(), updated_at: when() };

export default migration('1763700000042-backup', async (m) => {
  await m.createTable(
    'backup_machine',
    {
      machine_id: id(),
      company_number,
      machine_name: text(255),
      machine_key: key(),
      asset_id,
      last_status: choice('completed', 'failed').nullable(),
      last_finished_at: when().nullable(),
      last_completed_at: when().nullable(),
      next_backup_at: when().nullable(),
      stored_bytes: big().default(0),
      created_at: when(),
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
  await m.createTable(
    'backup_record',
    {
      backup_id: id(),
      company_number,
      machine_id: ref('backup_machine.machine_id'),
      asset_id,
      machine_name: text(255),
      backup_type: choice('full', 'incremental'),
      status: choice('completed', 'failed', 'running'),
      size_bytes: big().default(0),
      started_at: when(),
      finished_at: when().nullable(),
      message: text(1000).default(''),
      source: text(255),
      record_key: key(),
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
  await m.createTable(
    'backup_state',
    {
      company_number: company_number.primary(),
      status: choice('not_configured', 'healthy', 'warning', 'failed'),
      since: when(),
      machines: int().default(0),
      failed_machines: int().default(0),
      late_machines: int().default(0),
      last_drill_on: day().nullable(),
      last_drill_result: choice('passed', 'partial', 'failed').nullable(),
      updated_at: when(),
    },
    [
      ['status', 'company_number'],
      ['last_drill_result', 'company_number'],
    ],
  );
  await m.createTable(
    'restore_request',
    {
      request_id: id(),
      company_number,
      employee_number: ref('employee.employee_number'),
      description: text(),
      backup_id: int().nullable(),
      asset_id,
      items: json(z.array(z.string())).default([]),
      restore_point: when().nullable(),
      destination: text(500).nullable(),
      priority: int(),
      status: choice('pending', 'in_progress', 'completed', 'rejected').default('pending'),
      ticket_id: ref('ticket.ticket_id').nullable().unique(),
      ...times,
    },
    [
      ['created_at', 'request_id', 'status'],
      ['status', 'created_at', 'request_id'],
      ['company_number', 'created_at', 'request_id', 'status'],
      ['company_number', 'status', 'created_at', 'request_id'],
      ['employee_number', 'created_at', 'request_id', 'status', 'company_number'],
    ],
  );
  await m.createTable(
    'restore_drill',
    {
      drill_id: id(),
      company_number,
      subject: text(255),
      asset_id,
      backup_id: int().nullable(),
      tested_on: day(),
      result: choice('passed', 'partial', 'failed'),
      tested_by: text(255),
      notes: text().default(''),
      ...times,
      deleted_at: when().nullable(),
    },
    [
      ['tested_on', 'drill_id', 'result', 'deleted_at'],
      ['company_number', 'tested_on', 'drill_id', 'result', 'deleted_at'],
      ['result', 'tested_on', 'drill_id', 'deleted_at'],
    ],
  );
});
