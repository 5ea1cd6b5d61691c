import { job, plus, sql, type Context } from '@keelson/core';
import { removeBefore } from '@keelson/core/database';
import { deletedTechnicians } from '@keelson/modules/directory';
import { Notification } from './entities.ts';
import { forgetPresence } from './presence.ts';

/** Retention of notifications. */
const KEPT = { days: -60 } as const;

export default [
  job('desk.forget-presence', '*/10 * * * * *', forgetPresence),
  job('desk.prune-notifications', '34 3 * * *', async ({ app, now }) => {
    await removeBefore(app.database, Notification, 'created_at', plus(now, KEPT));
  }),
  job('desk.forget-deleted', '26 3 * * *', (outside) => outside.transaction(forgetDeleted)),
];

/** Deletes the private data of deleted technicians. Shared items stay. */
async function forgetDeleted({ db }: Context): Promise<void> {
  await db.run(sql`DELETE FROM saved_view WHERE shared = 0 AND user_id IN ${deletedTechnicians}`);
  await db.run(sql`DELETE FROM reply_template WHERE shared = 0 AND user_id IN ${deletedTechnicians}`);
  await db.run(sql`DELETE FROM notification WHERE user_id IN ${deletedTechnicians}`);
  await db.run(sql`DELETE FROM timer WHERE user_id IN ${deletedTechnicians}`);
  await db.run(sql`DELETE FROM preference WHERE user_id IN ${deletedTechnicians}`);
}
