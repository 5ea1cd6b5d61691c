// Adds calendar feeds.
import { migration } from '../packages/database/migration/migrate.ts';
import { choice, flag, id, int, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1795749654087-calendar-feeds', async (m) => {
  await m.createTable(
    'calendar_feed',
    {
      feed_id: id(),
      user_id: ref('technician.user_id'),
      kind: choice('own', 'team', 'on_call'),
      team_id: int().nullable(),
      busy_only: flag().default(false),
      nonce: text(40),
      created_at: when(),
    },
    [['user_id', 'feed_id']],
  );
});
