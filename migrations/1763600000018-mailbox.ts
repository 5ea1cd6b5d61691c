// The tables of the module mailbox.
import { migration } from '../packages/database/migration/migrate.ts';
import { flag, id, int, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000018-mailbox', async (m) => {
  await m.createTable('mailbox', {
    mailbox_id: id(),
    name: text(255),
    address: text(254),
    host: text(255),
    port: int().default(993),
    security: text(40).default('tls'),
    username: text(255),
    password: text().nullable(),
    authserv_id: text(255).default(''),
    job_type: text(255).nullable(),
    priority: int().nullable(),
    active: flag().default(true),
    created_at: when(),
    deleted_at: when().nullable(),
  });
  await m.createTable('mailbox_state', {
    mailbox_id: ref('mailbox.mailbox_id').primary(),
    uid_validity: text(20).default(''),
    last_uid: int().default(0),
    last_success_at: when().nullable(),
    last_error: text(500).nullable(),
    failing_since: when().nullable(),
  });
  await m.createTable(
    'mailbox_message',
    {
      received_id: id(),
      mailbox_id: ref('mailbox.mailbox_id'),
      message_key: key(),
      from_name: text(255).default(''),
      from_address: text(254).default(''),
      subject: text(500).default(''),
      size: int(),
      state: text(40).default('stored'),
      reason: text(500).default(''),
      verified: flag().default(false),
      ticket_id: int().nullable(),
      company_number: int().nullable(),
      attached: int().default(0),
      received_at: when(),
    },
    [
      ['state', 'received_at', 'received_id'],
      ['received_at', 'received_id'],
      ['ticket_id', 'received_id'],
    ],
    { unique: [['mailbox_id', 'message_key']] },
  );
  await m.createTable('mailbox_raw', {
    received_id: ref('mailbox_message.received_id').primary(),
    part: int().primary(),
    content: text(),
  });
  await m.createTable(
    'mailbox_thread',
    {
      message_key: key().primary(),
      ticket_id: int(),
      created_at: when(),
    },
    [['ticket_id', 'created_at']],
  );
});
