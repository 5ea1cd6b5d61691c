// Adds the Message-ID and the comment of received mails, whose key was the Message-ID until now.
import { migration } from '../packages/database/migration/migrate.ts';
import { int, key } from '../packages/database/schema/table.ts';

const ids = `UPDATE mailbox_message SET message_id = message_key WHERE message_key LIKE '<%'`;

export default migration('1795694400090-mail-identity', async (m) => {
  await m.addColumn('mailbox_message', 'message_id', key(255).nullable());
  await m.addColumn('mailbox_message', 'comment_id', int().nullable());
  await m.statement({ sqlite: ids, mysql: ids });
  await m.addIndex('mailbox_message', ['message_id', 'received_id']);
  await m.addIndex('mailbox_message', ['comment_id']);
});
