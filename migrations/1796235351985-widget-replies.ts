// Replies to visitors' messages, so that a message sent again is not answered twice.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { id, json, key, ref, when } from '../packages/database/schema/table.ts';

export default migration('1796235351985-widget-replies', async (m) => {
  await m.createTable(
    'widget_reply',
    {
      widget_reply_id: id(),
      widget_session_id: ref('widget_session.widget_session_id'),
      message_id: key(64),
      reply: json(z.unknown()),
      created_at: when(),
    },
    [['created_at']],
    { unique: [['widget_session_id', 'message_id']] },
  );
});
