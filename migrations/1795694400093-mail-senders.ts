// Makes received mails findable by their sender.
import { migration } from '../packages/database/migration/migrate.ts';
import { key } from '../packages/database/schema/table.ts';
import { normalised } from '../packages/kit/normal.ts';

export default migration('1795694400093-mail-senders', async (m) => {
  await m.addColumn('mailbox_message', 'sender_key', key(254).default(''));
  // In code, because SQLite lowers only ASCII letters.
  await m.runner(async (runner) => {
    const rows = (await runner.query('SELECT DISTINCT from_address FROM mailbox_message')) as {
      from_address: string;
    }[];
    for (const { from_address } of rows)
      await runner.query('UPDATE mailbox_message SET sender_key = ? WHERE from_address = ?', [
        normalised(from_address).slice(0, 254),
        from_address,
      ]);
  });
  await m.addIndex('mailbox_message', ['sender_key', 'received_id']);
});
