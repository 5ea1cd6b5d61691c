// Browsers that show technicians' notifications.
import { migration } from '../packages/database/migration/migrate.ts';
import { id, int, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1795815102962-push-subscriptions', async (m) => {
  await m.createTable(
    'push_subscription',
    {
      subscription_id: id(),
      user_id: ref('technician.user_id'),
      session_id: int(),
      access_version: int(),
      endpoint_hash: key(64).unique(),
      sealed: text(),
      device: text(100),
      created_at: when(),
      delivered_at: when().nullable(),
    },
    [['user_id', 'subscription_id']],
  );
});
