// Answers employees (W-05, W-06) from articles, their own open tickets, and the status of their company's services.
import type { Context, EmployeeActor } from '@keelson/core';
import { passagesForEmployee } from './passages.ts';
import { asksForStatus, readStatusForEmployee, reportsTrouble } from './service-status.ts';
import { smallTalk, wantsPerson } from './small-talk.ts';
import { keywordsOf } from './words.ts';
import { writeAnswer, type Turn } from './writer.ts';

const OFFER = 'If that does not help, ask for a person in this chat.';
const NOTHING = 'I have found nothing about that. You can ask for a person in this chat, or make a ticket of it.';
const PERSON = 'Ask for a person in this chat, and somebody will answer here.';
const PROPOSAL = 'Shall this become a ticket? You can make one of this chat.';

/** Returns the answer. `history` holds the previous messages, oldest first. */
export async function answerEmployee(
  ctx: Context<EmployeeActor>,
  message: string,
  history: readonly Turn[],
): Promise<string> {
  const words = keywordsOf(message);
  if (words.length === 0) return smallTalk(message);
  const status = await readStatusForEmployee(ctx);
  if (asksForStatus(words, status)) return `${status.message}\n\n${OFFER}`;
  const passages = await passagesForEmployee(ctx, words);
  if (passages.length === 0) {
    if (reportsTrouble(words, status)) return `${status.message}\n\n${OFFER}`;
    return wantsPerson(words) ? PERSON : NOTHING;
  }
  const { company_number } = ctx.actor;
  const written = await writeAnswer(ctx, { message, words, history, passages, company_number });
  return [written.message, ...(written.proposesTicket ? [PROPOSAL] : []), OFFER].join('\n\n');
}
