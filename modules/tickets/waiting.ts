// Who waits for whom (T-27): the customer waits from their first public word until the provider's next one, or until the
// ticket is closed.
import type { Context } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import type { Side, Ticket } from './entities.ts';

type Standing = Partial<Pick<Ticket, 'waiting_since' | 'last_comment_by'>>;

/** What a public comment by the current author changes of the ticket. */
export function afterComment({ author, now }: Context, { waiting_since }: Ticket): Standing {
  const side = sideOf(author);
  if (side === undefined) return {};
  return { last_comment_by: side, waiting_since: side === 'customer' ? (waiting_since ?? now) : null };
}

/** Of a new ticket: what a customer's people write themselves is their first word. */
export function waitingSince({ author, now }: Context): Ticket['waiting_since'] {
  return author.type === 'employee' ? now : null;
}

/** Of a ticket that is closed, or open again: customers who reopen one wait again. */
export function afterMove(ctx: Context, before: Ticket, status: Ticket['status']): Standing {
  if (status === 'closed') return { waiting_since: null };
  return before.status === 'closed' && before.waiting_since === null ? { waiting_since: waitingSince(ctx) } : {};
}

/** Undefined for the system, which speaks for nobody. */
export function sideOf({ type }: Pick<Author, 'type'>): Side | undefined {
  if (type === 'system') return undefined;
  return type === 'employee' ? 'customer' : 'technician';
}
