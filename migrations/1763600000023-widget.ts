// The tables of the module widget.
import { migration } from '../packages/database/migration/migrate.ts';
import { flag, id, int, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000023-widget', async (m) => {
  await m.createTable(
    'widget_session',
    {
      widget_session_id: id(),
      session_hash: key(64).unique(),
      key_id: ref('api_key.key_id'),
      test: flag().default(false),
      visitor_id: text(100),
      page_url: text(2048).default(''),
      referrer: text(2048).default(''),
      status: text(40).default('active'),
      chat_id: int().nullable(),
      started_at: when(),
      last_active_at: when(),
      ended_at: when().nullable(),
    },
    [['last_active_at'], ['status', 'last_active_at']],
  );
  await m.createTable(
    'widget_message',
    {
      widget_message_id: id(),
      widget_session_id: ref('widget_session.widget_session_id'),
      sender: text(40),
      message: text(),
      created_at: when(),
    },
    [['widget_session_id', 'widget_message_id'], ['created_at']],
  );
});
