import { job, plus, sql, type Context } from '@keelson/core';
import { removeBefore } from '@keelson/core/database';
import { eachApart } from '@keelson/core/kit';
import { deletedTechnicians } from '@keelson/modules/directory';
import { Notification } from './entities.ts';
import { forgetPresence } from './own/presence.ts';

/** Retention of notifications. */
const KEPT = { days: -60 } as const;

export default [
  job('desk.forget-presence', '*/10 * * * * *', forgetPresence, { title: 'Clear who is viewing tickets' }),
  job(
    'desk.prune-notifications',
    '34 3 * * *',
    async ({ app, now }) => {
      await removeBefore(app.database, Notification, 'created_at', plus(now, KEPT));
    },
    { title: 'Delete old notifications' },
  ),
  job('desk.forget-deleted', '26 3 * * *', forgetDeleted, { title: 'Delete private data of deleted technicians' }),
];

/** Private data of a technician. Shared items stay. */
const PRIVATE = [
  { name: 'saved views', rows: sql`saved_view WHERE shared = 0 AND` },
  { name: 'reply templates', rows: sql`reply_template WHERE shared = 0 AND` },
  { name: 'notifications', rows: sql`notification WHERE` },
  { name: 'browsers', rows: sql`push_subscription WHERE` },
  { name: 'timers', rows: sql`timer WHERE` },
  { name: 'preferences', rows: sql`preference WHERE` },
] as const;

/**
 * Deletes the private data of deleted technicians.
 * @throws AggregateError naming the kinds of data that failed, once the others are done
 */
async function forgetDeleted({ db }: Context<undefined>): Promise<void> {
  await eachApart(
    PRIVATE,
    ({ name }) => name,
    ({ rows }) => db.run(sql`DELETE FROM ${rows} user_id IN ${deletedTechnicians}`),
  );
}
