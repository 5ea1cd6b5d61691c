// Allocates result ids, so that they are known before the rows are stored.
import { migration } from '../core/database/migrate.ts';

export default migration('1763700000060-result-numbers', async (m) => {
  const next = `REPLACE INTO sequence (name, next)
    SELECT 'discovery_result', COALESCE(MAX(result_id), 0) + 1 FROM discovery_result`;
  await m.statement({ sqlite: next, mysql: next });
});
