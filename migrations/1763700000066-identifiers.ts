// Indexes devices by host name without domain, and deleted assets by serial number. Results can now be waiting,
// deleted, or an address only.
import { migration } from '../core/database/migrate.ts';
import { day, int, key, text } from '../core/database/table.ts';

export default migration('1763700000066-identifiers', async (m) => {
  await m.addColumn('asset', 'host_key', key(63).default(''));
  await m.statement({
    sqlite: `UPDATE asset SET host_key = substr(lower(trim(CASE WHEN machine_name NOT GLOB '*[^0-9.]*'
      OR instr(machine_name, '.') = 0 THEN machine_name ELSE substr(machine_name, 1, instr(machine_name, '.') - 1) END)), 1, 63)`,
    mysql: `UPDATE asset SET host_key = LEFT(LOWER(TRIM(CASE WHEN machine_name REGEXP '^[0-9.]+$' THEN machine_name
      ELSE SUBSTRING_INDEX(machine_name, '.', 1) END)), 63)`,
  });
  await m.addIndex('asset', ['company_number', 'serial_number', 'deleted_at']);
  await m.addIndex('asset', ['company_number', 'host_key', 'site_number', 'deleted_at']);
  await m.addColumn('discovery_result', 'reason', text(255).default(''));
  await m.addColumn('discovery_result', 'suggested_asset_id', int().nullable());
  await m.addColumn('discovery_result', 'address_key', key(33).default(''));
  await m.addIndex('discovery_result', ['company_number', 'state', 'address_key']);
  await m.addColumn('collector', 'new_on', day().nullable());
  await m.addColumn('collector', 'new_devices', int().default(0));
});
