import { announceChange, In, job, LessThan, LessThanOrEqual, MoreThan, plus, type Context } from '@keelson/core';
import { batchesApart, eachApart } from '@keelson/core/kit';
import { endChat, lockChat } from './chats/chats.ts';
import { Chat, ChatMessage } from './entities.ts';
import { answerOwed } from './messages/answer.ts';
import { KeepDays } from './settings.ts';

/** Idle time after which chats end, since they are no longer resumed (W-01). Chats with a person get longer. */
const IDLE = [
  ['active', { hours: -24 }],
  ['waiting_agent', { days: -7 }],
  ['with_agent', { days: -7 }],
] as const;
const BATCH_SIZE = 100;

export default [
  job('chat.answer', '*/15 * * * * *', answerOwed, { title: 'Send pending chat answers' }),
  job('chat.end-idle', '20 * * * *', endIdle, { title: 'Close idle chats' }),
  job('chat.prune', '50 3 * * *', prune, { title: 'Delete old chats' }),
];

/** @throws AggregateError naming the chats that failed, once the others are done */
async function endIdle(outside: Context<undefined>): Promise<void> {
  await eachApart(readIdle(outside), nameOf, ({ chat_id, status, last_active_at }) =>
    outside.transaction(async (ctx) => {
      const chat = await lockChat(ctx, chat_id);
      // Someone may have written since.
      if (chat.status === status && chat.last_active_at === last_active_at) await endChat(ctx, chat);
    }),
  );
}

async function* readIdle({ db, now }: Context): AsyncGenerator<Chat> {
  for (const [status, span] of IDLE) {
    const last_active_at = LessThanOrEqual(plus(now, span));
    for (let after = 0; ;) {
      const where = { status, last_active_at, chat_id: MoreThan(after) };
      const idle = await db.find(Chat, { where, order: { chat_id: 'ASC' }, take: BATCH_SIZE });
      yield* idle;
      if (idle.length < BATCH_SIZE) break;
      after = idle.at(-1)?.chat_id ?? after;
    }
  }
}

/**
 * Deletes old chats, because messages are personal data.
 * @throws AggregateError naming the chats that failed, once the others are done
 */
async function prune(outside: Context<undefined>): Promise<void> {
  const days = await outside.app.settings.get(outside, KeepDays);
  const ended_at = LessThan(plus(outside.now, { days: -days }));
  let after = 0;
  await batchesApart<Chat>({
    size: BATCH_SIZE,
    async read() {
      const where = { ended_at, chat_id: MoreThan(after) };
      const old = await outside.db.find(Chat, { where, order: { chat_id: 'ASC' }, take: BATCH_SIZE });
      after = old.at(-1)?.chat_id ?? after;
      return old;
    },
    nameOf,
    work: (old) => outside.transaction((ctx) => remove(ctx, old)),
  });
}

async function remove(ctx: Context, chats: readonly Chat[]): Promise<void> {
  const chat_id = In(chats.map((each) => each.chat_id));
  await ctx.db.delete(ChatMessage, { chat_id });
  await ctx.db.delete(Chat, { chat_id });
  for (const row of chats) announceChange(ctx, { of: Chat, row, kind: 'removed' });
}

const nameOf = ({ chat_id }: Chat): string => `chat ${chat_id}`;
