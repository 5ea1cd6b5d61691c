// The passages an answer may use: texts that the person may see.
import { is, type Context, type EmployeeActor } from '@keelson/core';
import { findByAnyWord } from '@keelson/core/search';
import { answerTextOf, articlesForEmployee } from '@keelson/modules/kb';
import { openStatuses, Ticket, visibleTickets } from '@keelson/modules/tickets';
import { rank } from './ranking.ts';

export interface Passage {
  /** The title the answer cites. */
  readonly title: string;
  readonly text: string;
  /** Articles are quoted; for tickets only the status is given. */
  readonly kind: 'article' | 'ticket';
}

/** Maximum texts read per source. */
const CANDIDATES = 20;
const TICKETS = 5;

/** Returns passages for an employee's question: articles they may read, and their own open tickets. Best first. */
export async function passagesForEmployee(ctx: Context<EmployeeActor>, words: readonly string[]): Promise<Passage[]> {
  const text = words.join(' ');
  const [articles, tickets] = await Promise.all([
    articlesForEmployee(ctx, text, CANDIDATES),
    findByAnyWord(ctx, Ticket, { text, where: ownOpenTickets(ctx), limit: TICKETS }),
  ]);
  return rank(
    [...articles.map((each): Passage => ({ ...answerTextOf(each), kind: 'article' })), ...tickets.map(passageOf)],
    words,
  );
}

/** Returns passages for a visitor's question: only public texts (W-06). Best first. */
export async function passagesForVisitor(ctx: Context, words: readonly string[]): Promise<Passage[]> {
  const sources = ctx.app.plugins.flatMap((each) => each.answerSources ?? []);
  const found = await Promise.all(sources.map((each) => each.forEverybody(ctx, { words, limit: CANDIDATES })));
  return rank(
    found.flat().map((each): Passage => ({ ...each, kind: 'article' })),
    words,
  );
}

function ownOpenTickets(ctx: Context<EmployeeActor>) {
  const own = is('requester_employee_number', ctx.actor.employee_number);
  return [...visibleTickets(ctx, 'mine'), own, is('status', openStatuses)];
}

function passageOf({ ticket_number, subject, status, description }: Ticket): Passage {
  const words = status.replace('_', ' ');
  return {
    kind: 'ticket',
    title: `Ticket ${ticket_number}: ${subject}`,
    text: `Ticket ${ticket_number}, “${subject}”, is ${words}.\n\n${description}`,
  };
}
