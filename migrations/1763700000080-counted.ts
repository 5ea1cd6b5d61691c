// Drops the counters of tables small enough to count directly.
import { migration } from '../core/database/migrate.ts';

const undated = [
  ...['project_count', 'milestone_count', 'prospect_count', 'opportunity_count', 'opportunity_value', 'crm_note_count'],
  ...['crm_contact_count', 'crm_activity_count', 'alert_count', 'kb_article_count', 'workflow_run_count'],
  ...['marketplace_product_count', 'proposal_count', 'payment_count', 'subscription_count', 'network_count'],
  ...['vendor_count', 'domain_count', 'license_count', 'contract_count', 'vlan_count', 'network_vlan_count'],
  ...['site_count', 'company_count', 'employee_count', 'site_employee_count'],
];
const dated = ['lead_count'];

export default migration('1763700000080-counted', async (m) => {
  const tables = [
    ...undated.flatMap((each) => [each, `${each}_delta`]),
    ...dated.flatMap((each) => [each, `${each}_month`, `${each}_day`, `${each}_delta`]),
  ];
  for (const each of tables) {
    const text = `DROP TABLE IF EXISTS ${each}`;
    await m.statement({ sqlite: text, mysql: text });
  }
});
