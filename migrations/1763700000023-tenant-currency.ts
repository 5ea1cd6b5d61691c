// The currency is the tenant's, and no longer the CRM's alone: the stored setting keeps its value under its new name.
import { migration } from '../core/database/migrate.ts';

export default migration('1763700000023-tenant-currency', (m) =>
  m.statement({
    sqlite: `UPDATE setting SET name = 'tenant.currency' WHERE name = 'crm.currency'`,
    mysql: `UPDATE setting SET name = 'tenant.currency' WHERE name = 'crm.currency'`,
  }),
);
