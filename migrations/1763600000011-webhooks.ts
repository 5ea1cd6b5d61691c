// The tables of the module webhooks.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { flag, id, int, json, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000011-webhooks', async (m) => {
  await m.createTable(
    'webhook',
    {
      webhook_id: id(),
      registry: text(40),
      author_type: text(40).nullable(),
      author_id: int().nullable(),
      url: text(2048),
      events: json(z.unknown()),
      active: flag().default(true),
      secret: text().nullable(),
      previous_secret: text().nullable(),
      previous_until: when().nullable(),
      last_delivery_at: when().nullable(),
      last_status: int().nullable(),
      failure_count: int().default(0),
      failing_since: when().nullable(),
      failed_events: int().default(0),
      warned_at: when().nullable(),
      created_at: when(),
      deleted_at: when().nullable(),
      swept_at: when().nullable(),
    },
    [['deleted_at', 'registry']],
  );
});
