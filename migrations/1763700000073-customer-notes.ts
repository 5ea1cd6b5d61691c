// Adds customer-visible notes beside the provider's own.
import { migration } from '../core/database/migrate.ts';
import { text } from '../core/database/table.ts';

export default migration('1763700000073-customer-notes', async (m) => {
  for (const name of ['contract', 'domain', 'license', 'network'])
    await m.addColumn(name, 'customer_notes', text().default(''));
});
