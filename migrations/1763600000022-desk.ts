// The tables of the module desk.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { flag, id, int, json, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000022-desk', async (m) => {
  await m.createTable(
    'presence',
    {
      presence_id: id(),
      user_id: ref('technician.user_id'),
      type: key(64),
      record_id: int(),
      doing: text(40),
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
      order: text(40).nullable(),
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
  await m.createTable(
    'timer',
    {
      timer_id: id(),
      user_id: ref('technician.user_id'),
      ticket_id: ref('ticket.ticket_id'),
      running_of: int().unique().nullable(),
      started_at: when().nullable(),
      seconds: int().default(0),
      created_at: when(),
    },
    [['ticket_id']],
    { unique: [['user_id', 'ticket_id']] },
  );
  await m.createTable(
    'reply_template',
    {
      template_id: id(),
      user_id: ref('technician.user_id'),
      title: text(100),
      title_key: key(100),
      text: text(),
      shared: flag().default(false),
      created_at: when(),
      updated_at: when(),
    },
    [['shared']],
    { unique: [['user_id', 'title_key']] },
  );
  await m.createTable(
    'notification',
    {
      notification_id: id(),
      user_id: ref('technician.user_id'),
      kind: text(40),
      type: key(64),
      record_id: int(),
      title: text(300),
      by_name: text(255),
      created_at: when(),
      read_at: when().nullable(),
    },
    [['user_id', 'notification_id'], ['user_id', 'read_at'], ['created_at']],
  );
});
