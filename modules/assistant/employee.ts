// Answers employees (W-05, W-06) from articles, their own open tickets, and the status of their company's services.
import type { Context, EmployeeActor } from '@keelson/core';
import { explained } from '@keelson/core/kit';
import { passagesForEmployee } from './passages.ts';
import { asksForStatus, readStatusForEmployee, reportsTrouble } from './service-status.ts';
import { smallTalk, wantsPerson } from './small-talk.ts';
import { keywordsOf } from './words.ts';
import { writeAnswer, type Turn } from './writer.ts';

const OFFER = explained('If that doesn’t help, ask to talk to a person.');
const NOTHING = explained(
  'I couldn’t find anything about that. You can ask to talk to a person, or turn this chat into a ticket.',
);
const PERSON = explained('Ask to talk to a person, and someone will reply here.');
const PROPOSAL = explained('You can turn this chat into a ticket.');

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
    return wantsPerson(message) ? PERSON : NOTHING;
  }
  const { company_number } = ctx.actor;
  const written = await writeAnswer(ctx, { message, words, history, passages, company_number });
  return [written.message, ...(written.proposesTicket ? [PROPOSAL] : []), OFFER].join('\n\n');
}
