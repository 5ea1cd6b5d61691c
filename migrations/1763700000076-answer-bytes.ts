// Allows summing the size of a caller's stored responses without reading them.
import { migration } from '../core/database/migrate.ts';
import { int } from '../core/database/table.ts';

const filled = 'UPDATE idempotency_key SET answer_bytes = LENGTH(answer) WHERE answer IS NOT NULL';

export default migration('1763700000076-answer-bytes', async (m) => {
  await m.addColumn('idempotency_key', 'answer_bytes', int().default(0));
  await m.statement({ sqlite: filled, mysql: filled });
});
