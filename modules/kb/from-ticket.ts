// Makes an article of what a ticket taught.
import { conflict, forbidden, type Admin, type Context } from '@keelson/core';
import { cutTo } from '@keelson/core/kit';
import { findTicket, ReadTickets, readPublicComments } from '@keelson/modules/tickets';
import { createArticle } from './articles.ts';
import type { KbArticle } from './entities.ts';
import { staffTitles } from './related.ts';

/** As long as the content of an article may be. */
const LONGEST = 65_535;

/**
 * A draft for technicians with a closed ticket's question and the public answers of the provider; internal comments stay
 * out of it. @throws conflict() when the ticket is open, notFound() when it is absent
 */
export async function createArticleFromTicket(ctx: Context<Admin>, ticket_id: number): Promise<KbArticle> {
  if (!ReadTickets.allows(ctx.actor)) throw forbidden();
  const ticket = await findTicket(ctx, ticket_id);
  if (ticket.status !== 'closed') throw conflict('Ticket must be closed');
  const comments = await readPublicComments(ctx, ticket_id);
  const answers = comments.filter((each) => each.author_type !== 'employee').map((each) => each.comment);
  const content = ['## Question', ticket.description || ticket.subject, '## Answer', ...answers].join('\n\n');
  const draft = {
    title: ticket.subject,
    content: cutTo(content, LONGEST),
    visibility: 'internal' as const,
  };
  return createArticle(ctx, { ...draft, related: [{ entity_type: 'ticket', entity_id: ticket_id }] }, staffTitles(ctx));
}
