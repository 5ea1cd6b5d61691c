// Answers visitors (W-05, W-06, W-16, W-17) from public articles and the status of the services, nothing else.
import { type Context } from '@keelson/core';
import { type AnswerText } from '@keelson/core/system';
import { quote, rank } from './ranking.ts';
import { readServiceStatus, type ServiceStatus } from './service-status.ts';
import { keywordsOf } from './words.ts';

export interface Answer {
  readonly message: string;
  /** Up to three texts; a click on one sends it as the next message. */
  readonly suggested_actions: string[];
}

const STATUS = 'Show service status';
const PERSON = 'Talk to a person';
const DETAILS = 'Leave contact details';
const MAX_ACTIONS = 3;
/** Texts read from each source. */
const CANDIDATES = 20;

const statusWords: ReadonlySet<string> = new Set(keywordsOf('status outage maintenance disruption'));
const troubleWords: ReadonlySet<string> = new Set(
  keywordsOf('down offline slow broken fail failing work working available unavailable reach login connect error'),
);
const peopleWords: ReadonlySet<string> = new Set(
  keywordsOf('person people human somebody someone agent staff phone call callback contact'),
);
const EMAIL = /[^\s@]+@[^\s@]+\.[^\s@]+/;
/** Must not match dates, order numbers or IP addresses. */
const PHONE = /(?:^|[^\w.-])(?:\+\d|\(?0)[\d\s()/-]{6,}\d|\(\d{3}\) ?\d{3}-\d{4}|\b\d{3}-\d{3}-\d{4}\b/;
const THANKS = /\b(?:thanks?|thx)\b/i;

const FORM = 'please use the contact form on this website, and somebody will get back to you';

/** The best answer. The same question gets the same one until articles or the status change. */
export async function answerVisitor(ctx: Context, message: string): Promise<Answer> {
  const status = await readServiceStatus(ctx.app);
  // No lead is created: a public key may only chat (W-17).
  if (leavesDetails(message)) return offer(`I cannot take contact details here: ${FORM}.`, [PERSON], status);
  if (is(message, PERSON)) return offer(`There is no person in this chat: ${FORM}.`, [DETAILS], status);
  const words = keywordsOf(message);
  if (words.length === 0 && THANKS.test(message)) return offer('You are welcome. Is there anything else?', [], status);
  if (words.length === 0) return offer('What can we help you with? A few words about it are enough.', [], status);
  if (asksForStatus(words, status)) return { message: status.message, suggested_actions: [PERSON] };
  const [best, ...others] = rank(await textsFor(ctx, words), words);
  if (best) {
    const titles = others.map(({ title }) => title);
    return offer(`From “${best.title}”:\n\n${quote(best, words)}`, titles, status);
  }
  const wantsPerson = words.some((word) => peopleWords.has(word));
  const apology = wantsPerson
    ? `To reach a person, ${FORM}.`
    : `I have found nothing about that. To ask a person, ${FORM}.`;
  return offer(apology, [PERSON, DETAILS], status);
}

function leavesDetails(message: string): boolean {
  return is(message, DETAILS) || EMAIL.test(message) || PHONE.test(message);
}

/** The message asks for the status, names a service that is out, or reports trouble while one is out. */
function asksForStatus(words: readonly string[], { active }: ServiceStatus): boolean {
  if (words.some((word) => statusWords.has(word))) return true;
  if (active.length === 0) return false;
  const out = new Set(active.flatMap(({ service_name, title }) => keywordsOf(`${service_name} ${title}`)));
  return words.some((word) => out.has(word) || troubleWords.has(word));
}

async function textsFor(ctx: Context, words: readonly string[]): Promise<readonly AnswerText[]> {
  const sources = ctx.app.plugins.flatMap((each) => each.answerSources ?? []);
  const found = await Promise.all(sources.map((each) => each.forEverybody(ctx, { words, limit: CANDIDATES })));
  return found.flat();
}

/** An answer with suggestions; during an outage the last one is the status. */
function offer(message: string, actions: readonly string[], { active }: ServiceStatus): Answer {
  const room = active.length === 0 ? MAX_ACTIONS : MAX_ACTIONS - 1;
  const first = actions.slice(0, room);
  return { message, suggested_actions: active.length === 0 ? first : [...first, STATUS] };
}

function is(message: string, action: string): boolean {
  return message.trim().toLowerCase() === action.toLowerCase();
}
