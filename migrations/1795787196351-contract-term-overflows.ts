// Contracts keep how their terms treat months without the first day, which a single term does not show.
import { migration } from '../packages/database/migration/migrate.ts';
import { flag } from '../packages/database/schema/table.ts';

export default migration('1795787196351-contract-term-overflows', async (m) => {
  await m.addColumn('contract', 'term_overflows', flag().default(false));
});
