// Lets mailboxes be signed in to with Microsoft and Google, and be read over their APIs.
import { migration } from '../packages/database/migration/migrate.ts';
import { choice, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1795712034772-mailbox-sign-ins', async (m) => {
  await m.addColumn('mailbox', 'sign_in', choice('password', 'microsoft', 'google').default('password'));
  await m.addColumn('mailbox', 'protocol', choice('imap', 'api').default('imap'));
  await m.addColumn('mailbox', 'tenant', text(255).default(''));
  await m.addColumn('mailbox', 'client_id', text(255).default(''));
  await m.addColumn('mailbox', 'client_secret', text().nullable());
  await m.addColumn('mailbox_state', 'cursor', text().nullable());
  await m.addColumn('mailbox_state', 'busy_until', when().nullable());
  await m.addColumn('mailbox_message', 'source_id', key(255).nullable());
  await m.addIndex('mailbox_message', ['mailbox_id', 'source_id']);
  await m.createTable(
    'mailbox_token',
    {
      mailbox_id: ref('mailbox.mailbox_id').primary(),
      refresh_token: text().nullable(),
      access_token: text().nullable(),
      expires_at: when().nullable(),
      refresh_expires_at: when().nullable(),
      refreshing_until: when().nullable(),
      last_error: text(500).nullable(),
      consented_at: when(),
    },
    [],
  );
  await m.createTable(
    'mailbox_consent',
    {
      state_key: key(64).primary(),
      mailbox_id: ref('mailbox.mailbox_id'),
      author: text(64),
      verifier: text(),
      created_at: when(),
    },
    [['created_at']],
  );
});
