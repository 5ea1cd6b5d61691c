// Initial reply templates and notifications. Later changes are separate migrations.
import { migration } from '../core/database/migrate.ts';
import { choice, flag, id, int, key, ref, text, when } from '../core/database/table.ts';

export default migration('1763700000047-replies', async (m) => {
  await m.createTable(
    'reply_template',
    {
      template_id: id(),
      user_id: ref('technician.user_id'),
      title: text(100),
      title_key: key(100),
      text: text(),
      shared: flag().default(false),
      created_at: when(),
      updated_at: when(),
    },
    [['shared']],
    { unique: [['user_id', 'title_key']] },
  );
  await m.createTable(
    'notification',
    {
      notification_id: id(),
      user_id: ref('technician.user_id'),
      kind: choice('assigned', 'answered', 'decided', 'mentioned'),
      type: key(64),
      record_id: int(),
      title: text(300),
      by_name: text(255),
      created_at: when(),
      read_at: when().nullable(),
    },
    [['user_id', 'notification_id'], ['user_id', 'read_at'], ['created_at']],
  );
});
