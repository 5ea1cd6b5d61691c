// Tracks how long a customer waits (T-27): from their first public comment until the provider's next one or closing.
import type { Context } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import type { Side, Ticket } from '../entities.ts';

type Standing = Partial<Pick<Ticket, 'waiting_since' | 'last_comment_by'>>;

/** Returns the ticket changes made by a public comment of the current author. */
export function afterComment({ author, now }: Context, { waiting_since }: Ticket): Standing {
  const side = sideOf(author);
  if (side === undefined) return {};
  return { last_comment_by: side, waiting_since: side === 'customer' ? (waiting_since ?? now) : null };
}

/** Returns the initial value for a new ticket: a ticket by a customer starts the wait. */
export function waitingSince({ author, now }: Context): Ticket['waiting_since'] {
  return author.type === 'employee' ? now : null;
}

/** Returns the change for closing or reopening: a customer who reopens a ticket waits again. */
export function afterMove(ctx: Context, before: Ticket, status: Ticket['status']): Standing {
  if (status === 'closed') return { waiting_since: null };
  return before.status === 'closed' && before.waiting_since === null ? { waiting_since: waitingSince(ctx) } : {};
}

/** Returns undefined for the system, which is on neither side. */
export function sideOf({ type }: Pick<Author, 'type'>): Side | undefined {
  if (type === 'system') return undefined;
  return type === 'employee' ? 'customer' : 'technician';
}
