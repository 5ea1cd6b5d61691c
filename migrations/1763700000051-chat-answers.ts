// Adds a deadline to messages the assistant must answer; until then, one process holds the message (W-04).
import { migration } from '../core/database/migrate.ts';
import { when } from '../core/database/table.ts';

export default migration('1763700000051-chat-answers', async (m) => {
  await m.addColumn('chat_message', 'answer_due_at', when().nullable());
  await m.addIndex('chat_message', ['answer_due_at']);
});
