// Adds the host name of found devices without its domain, for matching.
import { migration } from '../packages/database/migration/migrate.ts';
import { key } from '../packages/database/schema/table.ts';

export default migration('1795776939322-found-host-names', async (m) => {
  await m.addColumn('discovery_result', 'host_key', key(63).default(''));
  await m.addIndex('discovery_result', ['site_number', 'host_key']);
  await m.statement({
    sqlite:
      "UPDATE discovery_result SET host_key = substr(lower(hostname), 1, min(63, instr(hostname || '.', '.') - 1))",
    mysql: "UPDATE discovery_result SET host_key = LEFT(LOWER(SUBSTRING_INDEX(hostname, '.', 1)), 63)",
  });
});
