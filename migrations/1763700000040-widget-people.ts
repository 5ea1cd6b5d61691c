// Links widget sessions to chats, for visitors who talk to a person (W-26).
import { migration } from '../core/database/migrate.ts';
import { int } from '../core/database/table.ts';

export default migration('1763700000040-widget-people', (m) =>
  m.addColumn('widget_session', 'chat_id', int().nullable()),
);
