// The tables of the module assets.
import { migration } from '../packages/database/migration/migrate.ts';
import { day, flag, id, int, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000005-assets', async (m) => {
  await m.createTable(
    'asset',
    {
      asset_id: id(),
      asset_number: int().unique(),
      machine_name: text(255),
      host_key: key(63).default(''),
      asset_type: text(100).default(''),
      serial_number: text(255).default(''),
      serial_key: key().nullable(),
      company_number: ref('company.company_number'),
      site_number: ref('site.site_number').nullable(),
      status: text(100).default('active'),
      ip_address: text(45).default(''),
      mac_address: text(17).default(''),
      manufacturer: text(255).default(''),
      model: text(255).default(''),
      operating_system: text(255).default(''),
      location: text(255).default(''),
      assigned_employee: ref('employee.employee_number').nullable(),
      purchase_date: day().nullable(),
      warranty_expires: day().nullable(),
      notes: text(),
      source: text(40).default('manual'),
      last_seen_at: when().nullable(),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['created_at', 'asset_id', 'status', 'asset_type', 'deleted_at'],
      ['company_number', 'created_at', 'asset_id', 'status', 'asset_type', 'deleted_at'],
      ['company_number', 'status', 'created_at', 'asset_id', 'asset_type', 'deleted_at'],
      ['company_number', 'asset_type', 'created_at', 'asset_id', 'status', 'deleted_at'],
      ['company_number', 'asset_type', 'status', 'created_at', 'asset_id', 'deleted_at'],
      ['company_number', 'machine_name', 'asset_id', 'deleted_at'],
      ['company_number', 'mac_address', 'deleted_at'],
      ['company_number', 'serial_number', 'deleted_at'],
      ['company_number', 'host_key', 'site_number', 'deleted_at'],
      ['site_number', 'created_at', 'asset_id', 'company_number', 'status', 'asset_type', 'deleted_at'],
      ['status', 'created_at', 'asset_id', 'asset_type', 'deleted_at'],
      ['asset_type', 'created_at', 'asset_id', 'status', 'deleted_at'],
      ['assigned_employee', 'company_number', 'created_at', 'asset_id', 'status', 'asset_type', 'deleted_at'],
    ],
    { unique: [['company_number', 'serial_key']] },
  );
  await m.createTable(
    'asset_change',
    {
      change_id: id(),
      asset_id: ref('asset.asset_id'),
      field: text(40),
      before: text(255).default(''),
      after: text(255).default(''),
      changed_by: text(255),
      changed_at: when(),
    },
    [
      ['asset_id', 'changed_at', 'change_id'],
      ['asset_id', 'field', 'changed_at', 'change_id'],
    ],
  );
  await m.createTable(
    'asset_port',
    {
      port_id: id(),
      asset_id: ref('asset.asset_id'),
      port_number: int().nullable(),
      port_name: text(255).default(''),
      port_type: text(100).default(''),
      mac_address: text(17).default(''),
      speed_mbps: int().nullable(),
      vlan_id: int().nullable(),
      connected_asset_id: ref('asset.asset_id').nullable(),
      connected_port_id: int().nullable(),
      status: text(40).default('unknown'),
      notes: text(),
      created_at: when(),
      updated_at: when(),
    },
    [
      ['asset_id', 'connected_asset_id'],
      ['connected_asset_id', 'asset_id'],
      ['connected_port_id'],
      ['vlan_id', 'asset_id', 'port_id'],
    ],
    { unique: [['asset_id', 'port_number']] },
  );
  await m.createTable(
    'asset_address',
    {
      address_id: id(),
      asset_id: ref('asset.asset_id'),
      company_number: int(),
      ip_address: text(45),
      address_key: key(33),
      mac_address: text(17).default(''),
      assignment_type: text(40).default('static'),
      port_id: int().nullable(),
      is_primary: flag().default(false),
      created_at: when(),
    },
    [['company_number', 'address_key', 'asset_id'], ['company_number', 'mac_address', 'asset_id'], ['port_id']],
    { unique: [['asset_id', 'address_key']] },
  );
  await m.createTable(
    'asset_credential',
    {
      login_id: id(),
      asset_id: ref('asset.asset_id'),
      label: text(255),
      username: text(255).default(''),
      password: text().nullable(),
      url: text(2048).default(''),
      notes: text(),
      provider_only: flag().default(false),
      updated_by: text(255),
      created_at: when(),
      updated_at: when(),
    },
    [['asset_id', 'label', 'login_id']],
  );
  await m.createTable(
    'asset_software',
    {
      software_id: id(),
      asset_id: ref('asset.asset_id'),
      name: text(255),
      version: text(100).default(''),
      publisher: text(255).default(''),
      installed_at: day().nullable(),
      source: text(40).default('manual'),
    },
    [['asset_id', 'name', 'software_id']],
  );
  await m.createTable('asset_count', {
    company_number: int().primary(),
    status: text(100).primary(),
    asset_type: text(100).primary(),
    n: int(),
  });
  await m.createTable('asset_count_month', {
    company_number: int().primary(),
    status: text(100).primary(),
    asset_type: text(100).primary(),
    month: key(7).primary(),
    n: int(),
  });
  await m.createTable('asset_count_day', {
    day: day().primary(),
    status: text(100).primary(),
    asset_type: text(100).primary(),
    n: int(),
  });
  await m.createTable('asset_count_delta', {
    delta_id: id(),
    company_number: int(),
    status: text(100),
    asset_type: text(100),
    day: day(),
    n: int(),
  });
  await m.createTable('asset_site_count', {
    site_number: int().primary(),
    company_number: int().primary(),
    status: text(100).primary(),
    asset_type: text(100).primary(),
    n: int(),
  });
  await m.createTable('asset_site_count_delta', {
    delta_id: id(),
    site_number: int(),
    company_number: int(),
    status: text(100),
    asset_type: text(100),
    n: int(),
  });
});
