// Adds the company whose contacts write to a mailbox.
import { migration } from '../packages/database/migration/migrate.ts';
import { ref } from '../packages/database/schema/table.ts';

export default migration('1795911351223-mailbox-company', async (m) => {
  await m.addColumn('mailbox', 'company_number', ref('company.company_number').nullable());
});
