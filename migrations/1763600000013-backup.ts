// The tables of the module backup.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { big, day, flag, id, int, json, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000013-backup', async (m) => {
  await m.createTable(
    'backup_machine',
    {
      machine_id: id(),
      company_number: ref('company.company_number'),
      machine_name: text(255),
      machine_key: key(),
      asset_id: ref('asset.asset_id').nullable(),
      last_status: text(40).nullable(),
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
      company_number: ref('company.company_number'),
      machine_id: ref('backup_machine.machine_id'),
      asset_id: ref('asset.asset_id').nullable(),
      machine_name: text(255),
      backup_type: text(40),
      status: text(40),
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
      company_number: ref('company.company_number').primary(),
      status: text(40),
      reported: flag().default(false),
      since: when(),
      machines: int().default(0),
      failed_machines: int().default(0),
      late_machines: int().default(0),
      last_drill_on: day().nullable(),
      last_drill_result: text(40).nullable(),
      updated_at: when(),
    },
    [
      ['status', 'company_number'],
      ['last_drill_result', 'company_number'],
      ['reported', 'company_number'],
    ],
  );
  await m.createTable(
    'restore_request',
    {
      request_id: id(),
      company_number: ref('company.company_number'),
      employee_number: ref('employee.employee_number'),
      description: text(),
      backup_id: int().nullable(),
      asset_id: ref('asset.asset_id').nullable(),
      items: json(z.unknown()),
      restore_point: when().nullable(),
      destination: text(500).nullable(),
      priority: int(),
      status: text(40).default('pending'),
      ticket_id: ref('ticket.ticket_id').unique().nullable(),
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
  await m.createTable(
    'restore_drill',
    {
      drill_id: id(),
      company_number: ref('company.company_number'),
      subject: text(255),
      asset_id: ref('asset.asset_id').nullable(),
      backup_id: int().nullable(),
      tested_on: day(),
      result: text(40),
      tested_by: text(255),
      notes: text(),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['tested_on', 'drill_id', 'result', 'deleted_at'],
      ['company_number', 'tested_on', 'drill_id', 'result', 'deleted_at'],
      ['result', 'tested_on', 'drill_id', 'deleted_at'],
    ],
  );
});
