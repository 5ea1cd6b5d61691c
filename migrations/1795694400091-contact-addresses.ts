// Adds further mail addresses of contacts.
import { migration } from '../packages/database/migration/migrate.ts';
import { id, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1795694400091-contact-addresses', async (m) => {
  await m.createTable(
    'employee_address',
    {
      address_id: id(),
      employee_number: ref('employee.employee_number'),
      email: text(254),
      email_key: key(254).unique(),
      created_at: when(),
    },
    [['employee_number', 'address_id']],
  );
});
