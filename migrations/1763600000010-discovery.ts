// The tables of the module discovery.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { day, id, int, json, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000010-discovery', async (m) => {
  await m.createTable(
    'collector',
    {
      collector_number: id(),
      collector_id: key(16).unique(),
      company_number: ref('company.company_number'),
      site_number: ref('site.site_number'),
      name: text(255).default(''),
      status: text(40).default('registered'),
      version: text(50).default(''),
      last_seen_at: when().nullable(),
      sync_status: text(40).default('never'),
      last_sync_at: when().nullable(),
      config: json(z.unknown()),
      token_hash: key(64).unique().nullable(),
      new_on: day().nullable(),
      new_devices: int().default(0),
      created_at: when(),
    },
    [
      ['site_number', 'status', 'last_seen_at'],
      ['status', 'last_seen_at'],
    ],
  );
  await m.createTable(
    'discovery_job',
    {
      job_id: id(),
      job_type: text(40).default('scan'),
      company_number: ref('company.company_number'),
      site_number: ref('site.site_number'),
      collector_id: key(16).nullable(),
      scan_type: text(32).default(''),
      subnet: text(50).default(''),
      status: text(40).default('queued'),
      devices_found: int().default(0),
      error: text().nullable(),
      created_at: when(),
      started_at: when().nullable(),
      finished_at: when().nullable(),
    },
    [
      ['created_at', 'job_id'],
      ['company_number', 'created_at', 'job_id'],
      ['site_number', 'created_at', 'job_id'],
      ['status', 'created_at', 'job_id'],
    ],
  );
  await m.createTable(
    'collector_command',
    {
      command_id: id(),
      collector_id: key(16).nullable(),
      company_number: ref('company.company_number'),
      site_number: ref('site.site_number'),
      job_id: ref('discovery_job.job_id').nullable(),
      command_type: text(40),
      parameters: json(z.unknown()),
      status: text(40).default('pending'),
      attempts: int().default(0),
      created_at: when(),
      sent_at: when().nullable(),
      completed_at: when().nullable(),
      result: json(z.unknown()).nullable(),
      error: text().nullable(),
    },
    [
      ['collector_id', 'status', 'command_id'],
      ['site_number', 'status', 'command_id'],
      ['status', 'sent_at'],
      ['job_id'],
    ],
  );
  await m.createTable(
    'discovery_result',
    {
      result_id: id(),
      job_id: ref('discovery_job.job_id').nullable(),
      company_number: ref('company.company_number'),
      site_number: ref('site.site_number'),
      ip_address: text(45).default(''),
      mac_address: text(17).default(''),
      hostname: text(255).default(''),
      serial_number: text(255).default(''),
      vendor: text(255).default(''),
      operating_system: text(255).default(''),
      open_ports: json(z.unknown()),
      asset_id: int().nullable(),
      state: text(40),
      reason: text(255).default(''),
      suggested_asset_id: int().nullable(),
      address_key: key(33).default(''),
      matched_by: text(40).nullable(),
      matched_value: text(255).default(''),
      device_key: key(64),
      content_hash: key(64),
      discovered_at: when(),
    },
    [
      ['discovered_at', 'result_id'],
      ['company_number', 'discovered_at', 'result_id'],
      ['site_number', 'discovered_at', 'result_id'],
      ['job_id', 'discovered_at', 'result_id'],
      ['state', 'discovered_at', 'result_id'],
      ['company_number', 'state', 'address_key'],
      ['asset_id', 'result_id'],
    ],
    { unique: [['site_number', 'device_key']] },
  );
});
