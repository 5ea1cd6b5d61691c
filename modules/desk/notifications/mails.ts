// Mails to technicians who want to know by mail what happens to tickets.
import { cache, In, invalidateOnChange, IsNull, perApp, type Context, type Row } from '@keelson/core';
import { worded } from '@keelson/core/plugin';
import { Technician } from '@keelson/modules/directory';
import { mailTechnician, Ticket, TicketComment, type TicketWrite } from '@keelson/modules/tickets';
import { Preference, type mailChoices } from '../entities.ts';
import { TicketUnassigned } from '../events.ts';

interface About {
  readonly ticket_id: number;
  readonly user_id: number;
  readonly author_name: string;
}

/** Mails an assignee that a ticket was assigned to them. */
export async function mailAssigned(ctx: Context, { ticket_id, user_id, author_name }: About): Promise<void> {
  const ticket = await findTicket(ctx, ticket_id);
  if (ticket?.assigned_to !== user_id) return;
  const news = worded('{name} assigned this ticket to you:', { name: author_name });
  for (const each of await readReaders(ctx, ['own', 'unassigned'], user_id))
    await mailTechnician(ctx, ticket, each, { news, text: ticket.description });
}

/** Mails an assignee that the customer replied. */
export async function mailAnswered(
  ctx: Context,
  { ticket_id, user_id, author_name, comment_id }: About & { readonly comment_id: number },
): Promise<void> {
  const ticket = await findTicket(ctx, ticket_id);
  const comment = ticket && (await ctx.db.findOneBy(TicketComment, { comment_id, ticket_id: ticket.ticket_id }));
  if (!comment) return;
  const news = worded('{name} replied:', { name: author_name });
  for (const each of await readReaders(ctx, ['own', 'unassigned'], user_id))
    await mailTechnician(ctx, ticket, each, { news, text: comment.comment });
}

/** Whether anybody wants to know of new tickets that nobody is assigned to. */
const wantUnassigned = perApp((app) => {
  const kept = cache(app, async (db) =>
    (await db.findBy(Preference, {})).some(({ values }) => values.mails === 'unassigned'),
  );
  invalidateOnChange(app, kept, [Preference]);
  return kept;
});

/** Announces new tickets that nobody is assigned to. Costs nothing while nobody wants to know of them. */
export async function announceUnassigned(ctx: Context, writes: readonly TicketWrite[]): Promise<void> {
  const waiting = writes.flatMap(({ before, after }) => (!before && after?.assigned_to === null ? after : []));
  if (waiting.length === 0 || !(await wantUnassigned(ctx.app).get(ctx.db, 'all'))) return;
  for (const { ticket_id } of waiting) ctx.emit(TicketUnassigned, { ticket_id });
}

/** Mails those who want to know of new tickets that nobody is assigned to. */
export async function mailUnassigned(ctx: Context, { ticket_id }: { readonly ticket_id: number }): Promise<void> {
  const ticket = await findTicket(ctx, ticket_id);
  // A rule may have assigned it since.
  if (!ticket || ticket.assigned_to !== null || ticket.status === 'closed') return;
  const news = worded('Nobody is assigned to this new ticket:');
  for (const each of await readReaders(ctx, ['unassigned']))
    await mailTechnician(ctx, ticket, each, { news, text: ticket.description });
}

const findTicket = ({ db }: Context, ticket_id: number): Promise<Ticket | null> =>
  db.findOneBy(Ticket, { ticket_id, deleted_at: IsNull() });

/** Returns the active technicians, or only one of them, who want certain mails. */
export async function readReaders(
  { db }: Context,
  wanted: readonly (typeof mailChoices)[number][],
  user_id?: number,
): Promise<Pick<Row<typeof Technician>, 'user_id' | 'name' | 'email'>[]> {
  const preferences = await db.findBy(Preference, user_id === undefined ? {} : { user_id });
  // Preferences stored by earlier versions have no choice.
  const readers = preferences.filter(({ values }) => wanted.includes(values.mails));
  if (readers.length === 0) return [];
  const which = { user_id: In(readers.map((each) => each.user_id)), active: true, deleted_at: IsNull() };
  return db.find(Technician, { where: which, order: { user_id: 'ASC' } });
}
