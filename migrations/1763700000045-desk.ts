// Initial presence, saved views and preferences. Later changes are separate migrations.
import { z } from 'zod';
import { migration } from '../core/database/migrate.ts';
import { choice, flag, id, int, json, key, ref, text, when } from '../core/database/table.ts';

export default migration('1763700000045-desk', async (m) => {
  await m.createTable(
    'presence',
    {
      presence_id: id(),
      user_id: ref('technician.user_id'),
      type: key(64),
      record_id: int(),
      doing: choice('viewing', 'writing'),
      seen_at: when(),
    },
    [['type', 'record_id', 'seen_at'], ['seen_at']],
    { unique: [['user_id', 'type', 'record_id']] },
  );
  await m.createTable(
    'saved_view',
    {
      view_id: id(),
      user_id: ref('technician.user_id'),
      title: text(100),
      title_key: key(100),
      list: key(64),
      query: json(z.unknown()),
      sort: text(64).default(''),
      order: choice('asc', 'desc').nullable(),
      columns: json(z.unknown()),
      shared: flag().default(false),
      created_at: when(),
      updated_at: when(),
    },
    [
      ['user_id', 'list'],
      ['shared', 'list'],
    ],
    { unique: [['user_id', 'list', 'title_key']] },
  );
  await m.createTable('preference', {
    user_id: ref('technician.user_id').primary(),
    values: json(z.unknown()),
    updated_at: when(),
  });
});
