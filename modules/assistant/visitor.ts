// Answers visitors (W-05, W-06, W-16, W-17) from public articles and service status only.
import type { Context } from '@keelson/core';
import { explained } from '@keelson/core/kit';
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

const STATUS = explained('Show service status');
const PERSON = explained('Talk to a person');
const DETAILS = explained('Leave contact details');
const FIXED: readonly string[] = [STATUS, PERSON, DETAILS];
const MAX_ACTIONS = 3;

const EMAIL = /[^\s@]+@[^\s@]+\.[^\s@]+/;
/** Must not match dates, order numbers or IP addresses. */
const PHONE = /(?:^|[^\w.-])(?:\+\d|\(?0)[\d\s()/-]{6,}\d|\(\d{3}\) ?\d{3}-\d{4}|\b\d{3}-\d{3}-\d{4}\b/;

const NO_DETAILS = explained(
  'I can’t take contact details here: please use the contact form on this website, and someone will get back to you.',
);
const NOTHING = explained('I couldn’t find anything about that.');
const TALK = explained(`To talk to a person, choose “${PERSON}” or use the contact form on this website.`);

/** Returns the best answer. `history` holds the previous messages, oldest first. */
export async function answerVisitor(ctx: Context, message: string, history: readonly Turn[]): Promise<Answer> {
  const status = await readServiceStatus(ctx.app);
  // Creates no lead: a public key may only chat (W-17).
  if (leavesDetails(message)) return offer(NO_DETAILS, [PERSON], status);
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
  return offer(wantsPerson(message) ? TALK : `${NOTHING} ${TALK}`, [PERSON, DETAILS], status);
}

/** Returns an answer in the visitor's language, except for the titles of articles. */
export function answerIn({ message, suggested_actions }: Answer, explain: Explain): Answer {
  return {
    message: explain(message),
    suggested_actions: suggested_actions.map((each) => (FIXED.includes(each) ? explain(each) : each)),
  };
}

/** Returns a message in English if it is the translation of a suggestion; otherwise the message. */
export const inEnglish = (message: string, explain: Explain): string =>
  FIXED.find((each) => is(message, explain(each))) ?? message;

type Explain = (text: string) => string;

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
