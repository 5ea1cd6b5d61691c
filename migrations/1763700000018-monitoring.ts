// Initial monitoring tables. Later changes are separate migrations.
import { migration } from '../core/database/migrate.ts';
import { choice, id, int, key, ref, text, when } from '../core/database/table.ts';

export default migration('1763700000018-monitoring', async (m) => {
  await m.createTable(
    'alert',
    {
      alert_id: id(),
      alert_type: text(60),
      severity: choice('info', 'warning', 'critical'),
      status: choice('open', 'acknowledged', 'resolved').default('open'),
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
      open_key: key().nullable().unique(),
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
  const counted = { status: text(40), severity: text(40) };
  await m.createTable('alert_count', {
    status: counted.status.primary(),
    severity: counted.severity.primary(),
    n: int(),
  });
  await m.createTable('alert_count_delta', { delta_id: id(), ...counted, n: int() });
});
