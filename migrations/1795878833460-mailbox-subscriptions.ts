// Subscriptions to new mail in mailboxes that are read over Microsoft Graph.
import { migration } from '../packages/database/migration/migrate.ts';
import { flag, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1795878833460-mailbox-subscriptions', async (m) => {
  await m.createTable(
    'mailbox_subscription',
    {
      mailbox_id: ref('mailbox.mailbox_id').primary(),
      subscription_id: key(255).nullable(),
      secret_hash: key(64).default(''),
      expires_at: when().nullable(),
      next_at: when(),
      notified: flag().default(false),
      last_error: text(500).nullable(),
    },
    [],
  );
});
