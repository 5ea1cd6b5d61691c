// Initial chat widget tables. Later changes are separate migrations.
import { migration } from '../core/database/migrate.ts';
import { choice, flag, id, key, ref, text, when } from '../core/database/table.ts';

export default migration('1763700000009-widget', async (m) => {
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
      status: choice('active', 'ended').default('active'),
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
      sender: choice('visitor', 'assistant'),
      message: text(),
      created_at: when(),
    },
    [['widget_session_id', 'widget_message_id'], ['created_at']],
  );
});
