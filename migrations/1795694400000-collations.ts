// On SQLite, migrations that altered a table lost the collation of its texts, which then compared by case. Restores it.
import { migration } from '../packages/database/migration/migrate.ts';

const texts = {
  asset: [
    ...['machine_name', 'asset_type', 'serial_number', 'status', 'ip_address', 'mac_address', 'manufacturer'],
    ...['model', 'operating_system', 'location', 'source'],
  ],
  asset_credential: ['label', 'username', 'url', 'updated_by'],
  backup_state: ['status', 'last_drill_result'],
  chat_message: ['sender_type', 'sender_name'],
  collector: ['name', 'status', 'version', 'sync_status'],
  contract: ['contract_number', 'name', 'contract_type', 'status', 'billing_cycle'],
  discovery_result: [
    ...['ip_address', 'mac_address', 'hostname', 'serial_number', 'vendor', 'operating_system', 'state'],
    ...['matched_by', 'matched_value'],
  ],
  domain: ['domain_name', 'registrar', 'status'],
  employee: ['first_name', 'last_name', 'email', 'phone', 'mobile', 'title', 'department', 'status', 'asset_edit'],
  error_count: ['level'],
  idempotency_key: ['state'],
  invoice_line: ['unit_price', 'source'],
  license: ['name', 'vendor', 'key_end', 'license_type', 'status'],
  mail: ['recipient_name', 'recipient_address', 'state', 'error'],
  network: ['description', 'network_address', 'subnet_mask', 'gateway'],
  project_phase: ['name', 'status'],
  proposal_line: ['unit_price'],
  report: ['surface', 'owner_type', 'name', 'source', 'group_by', 'created_by'],
  technician_session: ['ip_address'],
  ticket: ['subject', 'status', 'job_type', 'approval_status', 'source'],
  ticket_comment: ['author_type', 'author_name'],
  ticket_time_entry: ['user_name'],
  webhook: ['registry', 'url'],
  widget_session: ['visitor_id', 'page_url', 'referrer', 'status'],
};

export default migration('1795694400000-collations', async (m) => {
  if (m.dialect !== 'sqlite') return;
  for (const [name, columns] of Object.entries(texts)) {
    await m.runner(async (runner) => {
      const table = await runner.getTable(name);
      const changed = columns.flatMap((each) => {
        const oldColumn = table?.findColumnByName(each);
        if (!table || !oldColumn || oldColumn.collation === 'NOCASE') return [];
        const newColumn = oldColumn.clone();
        newColumn.collation = 'NOCASE';
        return [{ oldColumn, newColumn }];
      });
      if (table && changed.length > 0) await runner.changeColumns(table, changed);
    });
  }
});
