// Answers visitors (W-05, W-06, W-16, W-17) from public articles and service status only.
import type { Context } from '@keelson/core';
import { passagesForVisitor } from './passages.ts';
import { asksForStatus, readServiceStatus, reportsTrouble, type ServiceStatus } from './service-status.ts';
import { smallTalk, wantsPerson } from './small-talk.ts';
import { keywordsOf } from './words.ts';
import { writeAnswer, type Turn } from './writer.ts';

export interface Answer {
  readonly message: string;
  /** Up to three texts. Clicking one sends it as the next message. */
  readonly suggested_actions: string[];
}

const STATUS = 'Show service status';
const PERSON = 'Talk to a person';
const DETAILS = 'Leave contact details';
const MAX_ACTIONS = 3;

const EMAIL = /[^\s@]+@[^\s@]+\.[^\s@]+/;
/** Must not match dates, order numbers or IP addresses. */
const PHONE = /(?:^|[^\w.-])(?:\+\d|\(?0)[\d\s()/-]{6,}\d|\(\d{3}\) ?\d{3}-\d{4}|\b\d{3}-\d{3}-\d{4}\b/;

const FORM = 'please use the contact form on this website, and someone will get back to you';

/** Returns the best answer. `history` holds the previous messages, oldest first. */
export async function answerVisitor(ctx: Context, message: string, history: readonly Turn[]): Promise<Answer> {
  const status = await readServiceStatus(ctx.app);
  // Creates no lead: a public key may only chat (W-17).
  if (leavesDetails(message)) return offer(`I can’t take contact details here: ${FORM}.`, [PERSON], status);
  const words = keywordsOf(message);
  if (words.length === 0) return offer(smallTalk(message), [], status);
  if (asksForStatus(words, status)) return { message: status.message, suggested_actions: [PERSON] };
  const passages = await passagesForVisitor(ctx, words);
  if (passages.length > 0) {
    const written = await writeAnswer(ctx, { message, words, history, passages, company_number: null });
    const titles = passages.slice(1).map(({ title }) => title);
    return offer(written.message, written.proposesTicket ? [PERSON, ...titles] : titles, status);
  }
  if (reportsTrouble(words, status)) return { message: status.message, suggested_actions: [PERSON] };
  const way = `choose “${PERSON}” or use the contact form on this website`;
  const apology = wantsPerson(message)
    ? `To talk to a person, ${way}.`
    : `I couldn’t find anything about that. To talk to a person, ${way}.`;
  return offer(apology, [PERSON, DETAILS], status);
}

/** Returns true for a click on the button that hands the conversation over (W-26). */
export const asksForPerson = (message: string): boolean => is(message, PERSON);

function leavesDetails(message: string): boolean {
  return is(message, DETAILS) || EMAIL.test(message) || PHONE.test(message);
}

/** Returns an answer with suggestions. During an outage, the last one is the status. */
function offer(message: string, actions: readonly string[], { active }: ServiceStatus): Answer {
  const room = active.length === 0 ? MAX_ACTIONS : MAX_ACTIONS - 1;
  const first = actions.slice(0, room);
  return { message, suggested_actions: active.length === 0 ? first : [...first, STATUS] };
}

function is(message: string, action: string): boolean {
  return message.trim().toLowerCase() === action.toLowerCase();
}
