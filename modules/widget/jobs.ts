import { In, job, LessThan, listed, plus, sql, toDatabase, type Context } from '@keelson/core';
import { removeBefore } from '@keelson/core/database';
import { endForVisitors } from '@keelson/modules/chat';
import { WidgetMessage, WidgetSession } from './entities.ts';
import { idleSince } from './find-session.ts';

/** Visitors' messages are personal data. */
const RETENTION = { days: -90 } as const;
const BATCH_SIZE = 500;
const MAX_BATCHES = 200;

export default [job('widget.end-idle', '*/5 * * * *', endIdle), job('widget.prune', '40 3 * * *', prune)];

/** Marks idle sessions as ended (M-20). Messages to an idle session are refused even before this runs. */
async function endIdle(outside: Context<undefined>): Promise<void> {
  const {
    app: { database },
    now,
  } = outside;
  const until = idleSince(now);
  for (let i = 0; i < MAX_BATCHES; i++) {
    const idle = await database.query<{ id: number }>(sql`SELECT widget_session_id AS id FROM widget_session
      WHERE status = 'active' AND last_active_at <= ${toDatabase(until)} ORDER BY last_active_at LIMIT ${BATCH_SIZE}`);
    if (idle.length === 0) return;
    const ids = listed(idle.map((each) => each.id));
    await database.run(sql`UPDATE widget_session SET status = 'ended', ended_at = ${toDatabase(now)}
      WHERE widget_session_id IN ${ids} AND status = 'active' AND last_active_at <= ${toDatabase(until)}`);
    await endChats(
      outside,
      idle.map((each) => each.id),
    );
  }
}

/** Ends the chats of visitors who have left, so that technicians do not reply to them. */
async function endChats(outside: Context<undefined>, widget_session_id: readonly number[]): Promise<void> {
  const ended = await outside.db.findBy(WidgetSession, { widget_session_id: In(widget_session_id), status: 'ended' });
  const chats = ended.flatMap(({ chat_id }) => chat_id ?? []);
  if (chats.length > 0) await outside.transaction((ctx) => endForVisitors(ctx, chats));
}

async function prune({ app: { database }, now }: Context<undefined>): Promise<void> {
  const before = plus(now, RETENTION);
  await removeBefore(database, WidgetMessage, 'created_at', before);
  // Messages reference sessions, so delete sessions only once all their old messages are gone.
  const waiting = await database.countBy(WidgetMessage, { created_at: LessThan(before) });
  if (waiting === 0) await removeBefore(database, WidgetSession, 'last_active_at', before);
}
