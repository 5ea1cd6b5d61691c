// Creates an article from a resolved ticket.
import { conflict, forbidden, type Admin, type Context } from '@keelson/core';
import { cutTo } from '@keelson/core/kit';
import { findTicket, ReadTickets, readPublicComments } from '@keelson/modules/tickets';
import type { KbArticle } from '../entities.ts';
import { createArticle } from './articles.ts';
import { staffTitles } from './related.ts';

/** Maximum length of article content. */
const LONGEST = 65_535;

/**
 * Drafts an internal article from a closed ticket's question and the provider's public answers. Internal comments are
 * excluded, and comments by the system, such as the text of a merged ticket.
 * @throws conflict() if the ticket is open; notFound() if it does not exist
 */
export async function createArticleFromTicket(ctx: Context<Admin>, ticket_id: number): Promise<KbArticle> {
  if (!ReadTickets.allows(ctx.actor)) throw forbidden();
  const ticket = await findTicket(ctx, ticket_id);
  if (ticket.status !== 'closed') throw conflict('Ticket must be closed');
  const comments = await readPublicComments(ctx, ticket_id);
  const answers = comments
    .filter(({ author_type }) => author_type !== 'employee' && author_type !== 'system')
    .map((each) => each.comment);
  const content = ['## Question', ticket.description || ticket.subject, '## Answer', ...answers].join('\n\n');
  const draft = {
    title: ticket.subject,
    content: cutTo(content, LONGEST),
    visibility: 'internal' as const,
  };
  return createArticle(ctx, { ...draft, related: [{ entity_type: 'ticket', entity_id: ticket_id }] }, staffTitles(ctx));
}
