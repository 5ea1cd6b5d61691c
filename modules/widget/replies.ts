// A message whose reply was lost is sent again. It is stored and answered once (W-37).
import type { Context, CrmKey } from '@keelson/core';
import { WidgetReply } from './entities.ts';
import type { Reply } from './shapes.ts';

type Ctx = Context<CrmKey>;

/** Returns the reply to a message that was sent before, in English. */
export async function findReply(
  ctx: Ctx,
  widget_session_id: number,
  message_id: string | undefined,
): Promise<Reply | undefined> {
  if (message_id === undefined) return undefined;
  return (await ctx.db.findOneBy(WidgetReply, { widget_session_id, message_id }))?.reply;
}

/** Returns the reply to a message of a locked session: that of `reply`, unless the message was sent before. */
export async function replyOnce(
  ctx: Ctx,
  widget_session_id: number,
  message_id: string | undefined,
  reply: () => Promise<Reply>,
): Promise<Reply> {
  if (message_id === undefined) return reply();
  const earlier = await findReply(ctx, widget_session_id, message_id);
  if (earlier) return earlier;
  const first = await reply();
  await ctx.db.insert(WidgetReply, { widget_session_id, message_id, reply: first, created_at: ctx.now });
  return first;
}
