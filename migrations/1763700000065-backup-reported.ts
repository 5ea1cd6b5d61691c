// Flags companies that have reported a backup, so that those that never did can be listed first.
import { migration } from '../core/database/migrate.ts';
import { flag } from '../core/database/table.ts';

const told = `UPDATE backup_state SET reported = 1
  WHERE company_number IN (SELECT company_number FROM backup_machine)`;

export default migration('1763700000065-backup-reported', async (m) => {
  await m.addColumn('backup_state', 'reported', flag().default(false));
  await m.addIndex('backup_state', ['reported', 'company_number']);
  await m.statement({ sqlite: told, mysql: told });
});
