// Adds the company whose contacts write to a mailbox.
import { migration } from '../packages/database/migrate.ts';
import { ref } from '../packages/database/table.ts';

export default migration('1795911351223-mailbox-company', async (m) => {
  await m.addColumn('mailbox', 'company_number', ref('company.company_number').nullable());
});
