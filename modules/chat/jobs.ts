import { announceChange, In, job, LessThan, LessThanOrEqual, MoreThan, plus, type Context } from '@keelson/core';
import { answerOwed } from './answer.ts';
import { endChat } from './chats.ts';
import { Chat, ChatMessage } from './entities.ts';
import { KeepDays } from './settings.ts';

/** Idle time after which chats end, since they are no longer resumed (W-01). Chats with a person get longer. */
const IDLE = [
  ['active', { hours: -24 }],
  ['waiting_agent', { days: -7 }],
  ['with_agent', { days: -7 }],
] as const;
const BATCH_SIZE = 100;
const MAX_BATCHES = 200;

export default [
  job('chat.answer', '*/15 * * * * *', answerOwed),
  job('chat.end-idle', '20 * * * *', endIdle),
  job('chat.prune', '50 3 * * *', prune),
];

async function endIdle(outside: Context<undefined>): Promise<void> {
  for (const [status, span] of IDLE) {
    const until = plus(outside.now, span);
    for (let i = 0; i < MAX_BATCHES; i++) {
      const where = { status, last_active_at: LessThanOrEqual(until) };
      const idle = await outside.db.find(Chat, { where, order: { last_active_at: 'ASC' }, take: BATCH_SIZE });
      if (idle.length === 0) break;
      await outside.transaction(async (ctx) => {
        const still = { chat_id: In(idle.map((each) => each.chat_id)), ...where };
        const chats = await ctx.db.find(Chat, {
          where: still,
          order: { chat_id: 'ASC' },
          lock: { mode: 'pessimistic_write' },
        });
        for (const chat of chats) await endChat(ctx, chat);
      });
    }
  }
}

/** Deletes old chats, because messages are personal data. */
async function prune(outside: Context<undefined>): Promise<void> {
  const days = await outside.app.settings.get(outside, KeepDays);
  const before = plus(outside.now, { days: -days });
  let last = 0;
  for (let i = 0; i < MAX_BATCHES; i++) {
    const old = await outside.db.find(Chat, {
      where: { ended_at: LessThan(before), chat_id: MoreThan(last) },
      order: { chat_id: 'ASC' },
      take: BATCH_SIZE,
    });
    if (old.length === 0) return;
    last = old.at(-1)?.chat_id ?? last;
    const chat_id = old.map((each) => each.chat_id);
    await outside.transaction(async (ctx) => {
      await ctx.db.delete(ChatMessage, { chat_id: In(chat_id) });
      await ctx.db.delete(Chat, { chat_id: In(chat_id) });
      for (const row of old) announceChange(ctx, { of: Chat, row, kind: 'removed' });
    });
  }
}
