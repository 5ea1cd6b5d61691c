// Lets mailboxes send: their own sender, signature, texts and mail server.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { choice, int, json, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1795707445294-mailbox-senders', async (m) => {
  await m.addColumn('mailbox', 'aliases', json(z.array(z.string())).nullable());
  await m.addColumn('mailbox', 'sender_name', text(255).default(''));
  await m.addColumn('mailbox', 'signature', text(4000).default(''));
  // Mailboxes so far: the installation's mail server may not accept their addresses as senders.
  await m.addColumn('mailbox', 'outgoing', choice('installation', 'smtp', 'reply_only').default('reply_only'));
  await m.addColumn('mailbox', 'smtp_host', text(255).default(''));
  await m.addColumn('mailbox', 'smtp_port', int().default(587));
  await m.addColumn('mailbox', 'smtp_security', choice('tls', 'starttls', 'none').default('starttls'));
  await m.addColumn('mailbox', 'smtp_username', text(255).default(''));
  await m.addColumn('mailbox', 'smtp_password', text().nullable());
  await m.createTable(
    'mailbox_template',
    {
      mailbox_id: ref('mailbox.mailbox_id').primary(),
      template: key(64).primary(),
      subject: text(255),
      body: text(),
    },
    [],
  );
  await m.createTable(
    'mailbox_ticket',
    { ticket_id: int().primary(), mailbox_id: ref('mailbox.mailbox_id'), created_at: when() },
    [],
  );
});
