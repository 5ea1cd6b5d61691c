// Renames the CRM's currency setting, which now applies to the whole tenant; its value is kept.
import { migration } from '../core/database/migrate.ts';

export default migration('1763700000023-tenant-currency', (m) =>
  m.statement({
    sqlite: `UPDATE setting SET name = 'tenant.currency' WHERE name = 'crm.currency'`,
    mysql: `UPDATE setting SET name = 'tenant.currency' WHERE name = 'crm.currency'`,
  }),
);
