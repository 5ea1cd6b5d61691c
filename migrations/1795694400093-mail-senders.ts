// Makes received mails findable by their sender.
import { migration } from '../core/database/migrate.ts';
import { key } from '../core/database/table.ts';

const senders = `UPDATE mailbox_message SET sender_key = LOWER(from_address)`;

export default migration('1795694400093-mail-senders', async (m) => {
  await m.addColumn('mailbox_message', 'sender_key', key(254).default(''));
  await m.statement({ sqlite: senders, mysql: senders });
  await m.addIndex('mailbox_message', ['sender_key', 'received_id']);
});
