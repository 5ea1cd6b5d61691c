// The tables of the module monitoring.
import { migration } from '../packages/database/migration/migrate.ts';
import { id, int, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000012-monitoring', async (m) => {
  await m.createTable(
    'alert',
    {
      alert_id: id(),
      alert_type: text(60),
      severity: text(40),
      status: text(40).default('open'),
      message: text(1000),
      company_number: ref('company.company_number').nullable(),
      collector_id: key(16).nullable(),
      asset_id: int().nullable(),
      source: text(100),
      occurrences: int().default(1),
      created_at: when(),
      last_raised_at: when(),
      acknowledged_at: when().nullable(),
      acknowledged_by: text(255).nullable(),
      resolved_at: when().nullable(),
      open_key: key().unique().nullable(),
    },
    [
      ['created_at', 'alert_id'],
      ['status', 'created_at', 'alert_id', 'severity'],
      ['company_number', 'status', 'created_at', 'alert_id', 'severity'],
      ['company_number', 'created_at', 'alert_id', 'severity'],
      ['severity', 'status', 'created_at', 'alert_id'],
      ['severity', 'created_at', 'alert_id'],
      ['collector_id', 'status'],
      ['resolved_at'],
    ],
  );
});
