// Ratings of closed tickets by their requesters.
import { by, conflict, In, noun, notFound, plus, today, view, type Context, type EmployeeActor } from '@keelson/core';
import { CompanyNames, EmployeeNames, TechnicianNames } from '@keelson/modules/directory';
import {
  commentOnTicket,
  lockSurvivor,
  lockVisibleTicket,
  reopenAnswered,
  Ticket,
  updateVisibleTicket,
  type TicketWrite,
} from '@keelson/modules/tickets';
import { TicketRating, type Score } from './entities.ts';
import { ratedTicket, TicketRated, TicketRatingCommented } from './events.ts';
import type { Closing } from './link.ts';

/** How long after closing a ticket can be rated. */
const OPEN_FOR = { days: 30 } as const;
/** How long a rating can be changed. */
const CHANGEABLE_FOR = { hours: 1 } as const;

export const RatingNoun = noun(TicketRating, {
  title: 'Rating',
  filters: (its) => ({
    ticket_id: its.is('ticket_id'),
    company_number: its.is('company_number'),
    assigned_to: its.is('assigned_to'),
    score: its.is('score'),
  }),
  sorts: { rated_at: by('rated_at') },
});

export const RatingItem = view(RatingNoun, {
  more: (its) => ({
    company_name: its.name(CompanyNames, 'company_number'),
    requester_name: its.name(EmployeeNames, 'employee_number'),
    assigned_name: its.name(TechnicianNames, 'assigned_to'),
  }),
});

/** A closing as shown to the person asked to rate it. */
export interface Rated {
  readonly ticket: Ticket;
  readonly rating: TicketRating | null;
  /** Whether the rating can be given or changed now. */
  readonly open: boolean;
  /** Whether the ticket has stayed closed since. */
  readonly closed: boolean;
  /** Whether the person has just reopened it. */
  readonly reopened?: boolean;
}

/** Reads a closing in a transaction. @throws notFound() unless the person is still the ticket's requester */
export async function readRated(ctx: Context<EmployeeActor>, closing: Closing): Promise<Rated> {
  const ticket = await lockVisibleTicket(ctx, closing.ticket_id);
  if (ticket.requester_employee_number !== closing.employee_number) throw notFound('Ticket');
  const rating = await ctx.db.findOneBy(TicketRating, { closing_key: keyOf(closing) });
  const until = rating ? plus(rating.rated_at, CHANGEABLE_FOR) : plus(closing.closed_at, OPEN_FOR);
  return { ticket, rating, open: ctx.now < until, closed: ticket.closed_at === closing.closed_at };
}

const keyOf = ({ ticket_id, closed_at }: Closing): string => `${ticket_id} ${closed_at}`;

/**
 * Stores a rating, or changes it within an hour; a comment is kept until it is replaced. Runs in a transaction.
 * @throws notFound() like readRated(); conflict() when it is too late
 */
export async function rateTicket(
  ctx: Context<EmployeeActor>,
  closing: Closing,
  { score, comment }: { readonly score: Score; readonly comment?: string | undefined },
): Promise<Rated> {
  const rated = await readRated(ctx, closing);
  const { ticket, rating: before } = rated;
  const after = { score, comment: comment || before?.comment || '' };
  if (before?.score === after.score && before.comment === after.comment) return rated;
  if (!rated.open)
    throw conflict(before ? 'This rating can no longer be changed' : 'This ticket can no longer be rated');
  const rating = before ? await changeRating(ctx, before, after) : await addRating(ctx, ticket, closing, after);
  const { ticket_number } = ticket;
  const { rating_id } = rating;
  ctx.record({
    action: before ? 'update' : 'create',
    entity_type: 'ticket_rating',
    entity_id: rating_id,
    description: `Ticket ${ticket_number} rated ${words[score].toLowerCase()}`,
    shownOn: { of: Ticket, row: ticket },
  });
  const data = await ratedTicket(ctx, ticket, rating);
  if (!before) ctx.emit(TicketRated, data);
  if (rating.comment !== '' && !before?.comment) ctx.emit(TicketRatingCommented, data);
  return { ...rated, rating, open: true };
}

/** Labels of the scores. */
export const words: Readonly<Record<Score, string>> = { good: 'Good', okay: 'Okay', bad: 'Bad' };

type Given = Pick<TicketRating, 'score' | 'comment'>;

async function changeRating(ctx: Context, before: TicketRating, given: Given): Promise<TicketRating> {
  await ctx.db.update(TicketRating, { rating_id: before.rating_id }, given);
  return { ...before, ...given };
}

async function addRating(ctx: Context, ticket: Ticket, closing: Closing, given: Given): Promise<TicketRating> {
  const row = {
    ticket_id: ticket.ticket_id,
    company_number: ticket.company_number,
    employee_number: closing.employee_number,
    assigned_to: ticket.assigned_to,
    ...given,
    rated_at: ctx.now,
    rated_on: today(ctx),
    closing_key: keyOf(closing),
  };
  return { ...row, rating_id: await ctx.db.insertReturningId(TicketRating, row) };
}

/**
 * Reopens a closed ticket on behalf of the requester, with their comment, if any. For a merged ticket, this is the
 * surviving one, as for replies by mail, unless it is closed and they may not reopen it. Runs in a transaction.
 * @throws notFound() like readRated(); conflict() if the ticket may not be reopened or already was
 */
export async function reopenTicket(ctx: Context<EmployeeActor>, closing: Closing, comment: string): Promise<Rated> {
  const rated = await readRated(ctx, closing);
  if (!rated.closed) throw conflict('This ticket has already been reopened');
  const survivor = await lockSurvivor(ctx, rated.ticket);
  const isMerged = survivor.ticket_id !== rated.ticket.ticket_id;
  const other = isMerged ? await reopenAnswered(ctx, survivor) : rated.ticket;
  const isOpen = other.status !== 'closed';
  const ticket = isOpen ? other : await updateVisibleTicket(ctx, rated.ticket, { status: 'open' });
  if (comment !== '') await commentOnTicket(ctx, ticket, { comment, is_internal: false });
  return { ...rated, ticket, closed: false, reopened: true };
}

/** Deletes the ratings of deleted tickets. */
export async function forgetRatings(ctx: Context, writes: readonly TicketWrite[]): Promise<void> {
  const deleted = writes.flatMap(({ before, after }) => (before && !after ? before.ticket_id : []));
  if (deleted.length > 0) await ctx.db.delete(TicketRating, { ticket_id: In(deleted) });
}
