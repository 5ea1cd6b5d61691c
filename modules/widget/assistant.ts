// What a visitor is answered (W-05, W-06, W-16, W-17): from public articles and the state of the services, nothing else.
import type { AnswerText, Context } from '@keelson/core';
import { quote, rank } from './ranking.ts';
import { readServiceStatus, type ServiceStatus } from './service-status.ts';
import { tellingWords } from './words.ts';

export interface Answer {
  readonly message: string;
  /** Up to three texts that a click sends as the next message. */
  readonly suggested_actions: string[];
}

const STATUS = 'Show service status';
const PERSON = 'Talk to a person';
const DETAILS = 'Leave contact details';
const MOST_ACTIONS = 3;
/** So many texts of each source are compared. */
const CANDIDATES = 20;

const aboutStatus: ReadonlySet<string> = new Set(tellingWords('status outage maintenance disruption'));
const aboutTrouble: ReadonlySet<string> = new Set(
  tellingWords('down offline slow broken fail failing work working available unavailable reach login connect error'),
);
const aboutPeople: ReadonlySet<string> = new Set(
  tellingWords('person people human somebody someone agent staff phone call callback contact'),
);
const EMAIL = /[^\s@]+@[^\s@]+\.[^\s@]+/;
/** Not dates, order numbers or addresses of machines. */
const PHONE = /(?:^|[^\w.-])(?:\+\d|\(?0)[\d\s()/-]{6,}\d|\(\d{3}\) ?\d{3}-\d{4}|\b\d{3}-\d{3}-\d{4}\b/;
const THANKS = /\b(?:thanks?|thx)\b/i;

const FORM = 'please use the contact form on this website, and somebody will get back to you';

/** The best answer there is; the same question gets the same one while nothing changes. */
export async function answerVisitor(ctx: Context, message: string): Promise<Answer> {
  const status = await readServiceStatus(ctx.app);
  // No lead is made of it: a public key may do nothing but chat (W-17).
  if (leavesDetails(message)) return offer(`I cannot take contact details here: ${FORM}.`, [PERSON], status);
  if (is(message, PERSON)) return offer(`There is no person in this chat: ${FORM}.`, [DETAILS], status);
  const words = tellingWords(message);
  if (words.length === 0 && THANKS.test(message)) return offer('You are welcome. Is there anything else?', [], status);
  if (words.length === 0) return offer('What can we help you with? A few words about it are enough.', [], status);
  if (asksForStatus(words, status)) return { message: status.message, suggested_actions: [PERSON] };
  const fitting = rank(await textsFor(ctx, words), words);
  const [best, ...others] = fitting;
  if (best) {
    const titles = others.map(({ title }) => title);
    return offer(`From “${best.title}”:\n\n${quote(best, words)}`, titles, status);
  }
  const about = words.some((word) => aboutPeople.has(word));
  const sorry = about ? `To reach a person, ${FORM}.` : `I have found nothing about that. To ask a person, ${FORM}.`;
  return offer(sorry, [PERSON, DETAILS], status);
}

function leavesDetails(message: string): boolean {
  return is(message, DETAILS) || EMAIL.test(message) || PHONE.test(message);
}

/** It is what was asked for, or what is out just now, or some trouble while something is out. */
function asksForStatus(words: readonly string[], { active }: ServiceStatus): boolean {
  if (words.some((word) => aboutStatus.has(word))) return true;
  if (active.length === 0) return false;
  const out = new Set(active.flatMap(({ service_name, title }) => tellingWords(`${service_name} ${title}`)));
  return words.some((word) => out.has(word) || aboutTrouble.has(word));
}

async function textsFor(ctx: Context, words: readonly string[]): Promise<readonly AnswerText[]> {
  const sources = ctx.app.plugins.flatMap((each) => each.answerSources ?? []);
  const found = await Promise.all(sources.map((each) => each.forEverybody(ctx, { words, limit: CANDIDATES })));
  return found.flat();
}

/** With what may help next; in an outage always with its state. */
function offer(message: string, actions: readonly string[], { active }: ServiceStatus): Answer {
  const room = active.length === 0 ? MOST_ACTIONS : MOST_ACTIONS - 1;
  const first = actions.slice(0, room);
  return { message, suggested_actions: active.length === 0 ? first : [...first, STATUS] };
}

function is(message: string, action: string): boolean {
  return message.trim().toLowerCase() === action.toLowerCase();
}
