import { In, job, LessThan, LessThanOrEqual, MoreThan, plus, type Context } from '@keelson/core';
import { removeBefore } from '@keelson/core/database';
import { batchesApart } from '@keelson/core/kit';
import { endForVisitors } from '@keelson/modules/chat';
import { WidgetMessage, WidgetReply, WidgetSession } from './entities.ts';
import { idleSince } from './find-session.ts';

/** Visitors' messages are personal data. */
const RETENTION = { days: -90 } as const;
const BATCH_SIZE = 100;

export default [
  job('widget.end-idle', '*/5 * * * *', endIdle, { title: 'Close idle website chats' }),
  job('widget.prune', '40 3 * * *', prune, { title: 'Delete old website chats' }),
];

/**
 * Ends idle sessions (M-20) and their chats, so that technicians do not reply to visitors who have left. Messages to an
 * idle session are refused even before this runs.
 * @throws AggregateError naming the sessions that failed, once the others are done
 */
async function endIdle(outside: Context<undefined>): Promise<void> {
  const idle = { status: 'active', last_active_at: LessThanOrEqual(idleSince(outside.now)) } as const;
  let after = 0;
  await batchesApart<number>({
    size: BATCH_SIZE,
    async read() {
      const where = { ...idle, widget_session_id: MoreThan(after) };
      const order = { widget_session_id: 'ASC' } as const;
      const rows = await outside.db.find(WidgetSession, { where, order, take: BATCH_SIZE });
      after = rows.at(-1)?.widget_session_id ?? after;
      return rows.map((each) => each.widget_session_id);
    },
    nameOf: (id) => `session ${id}`,
    work: (ids) => outside.transaction((ctx) => endAll(ctx, ids)),
  });
}

async function endAll(ctx: Context, ids: readonly number[]): Promise<void> {
  // Visitors may have returned before their sessions were locked.
  const idle = { status: 'active', last_active_at: LessThanOrEqual(idleSince(ctx.now)) } as const;
  const sessions = await ctx.db.find(WidgetSession, {
    where: { ...idle, widget_session_id: In(ids) },
    order: { widget_session_id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  const widget_session_id = In(sessions.map((each) => each.widget_session_id));
  await ctx.db.update(WidgetSession, { widget_session_id }, { status: 'ended', ended_at: ctx.now });
  const chats = sessions.flatMap(({ chat_id }) => chat_id ?? []);
  if (chats.length > 0) await endForVisitors(ctx, chats);
}

async function prune({ app: { database }, now }: Context<undefined>): Promise<void> {
  const before = plus(now, RETENTION);
  await removeBefore(database, WidgetMessage, 'created_at', before);
  await removeBefore(database, WidgetReply, 'created_at', before);
  // Messages and replies reference sessions, so delete sessions only once all their old ones are gone.
  const old = { created_at: LessThan(before) };
  const waiting = (await database.countBy(WidgetMessage, old)) + (await database.countBy(WidgetReply, old));
  if (waiting === 0) await removeBefore(database, WidgetSession, 'last_active_at', before);
}
