// Adds the marks that tell whether a commit whose answer was lost was carried out.
import { migration } from '../packages/database/migration/migrate.ts';
import { flag, key } from '../packages/database/schema/table.ts';

export default migration('1795746960123-commit-marks', async (m) => {
  await m.createTable('commit_mark', { mark: key(32).primary(), committed: flag() });
});
