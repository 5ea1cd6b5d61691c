import { z } from 'zod';
import { migration } from '../core/database/migrate.ts';
import { choice, flag, id, int, json, text, when } from '../core/database/table.ts';

export default migration('1763700000005-webhooks', async (m) => {
  await m.createTable(
    'webhook',
    {
      webhook_id: id(),
      registry: choice('admin', 'crm'),
      url: text(2048),
      events: json(z.array(z.string())),
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
