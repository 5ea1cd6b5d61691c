// Which records open pages are told of when they change, and who may hear of them (docs/live.md).
import type { Filter } from '../list/list.ts';
import type { Table } from '../database/table.ts';
import type { Context } from './context.ts';
import type { StreamAnswer } from './returns.ts';
import type { Access, Surface } from './surface.ts';

/** Who of a customer's people hears of changes. */
export interface LiveForCustomers<Actor = any> {
  readonly access: Access<Actor>;
  /** The rows that this person may see, besides being of their company; all of the company when absent. */
  readonly visible?: (ctx: Context<Actor>) => readonly Filter[];
  /** Rows without a company are everybody's. Without it they are nobody's. */
  readonly common?: boolean;
}

/** A table whose changes open pages are told of. */
export interface LiveRecord {
  readonly of: Table;
  /** Who hears on the administrative surface: nobody when absent. */
  readonly admin?: Access<any>;
  /** Who hears on the helpdesk surface: nobody when absent. */
  readonly helpdesk?: LiveForCustomers;
  /** The key of a change is the technician whose own it is; nobody else hears of it. */
  readonly personal?: boolean;
}

/**
 * Declares that open pages are told when a row of the table is created, changed or removed:
 * `liveRecord(Ticket, { admin: ReadTickets, helpdesk: { access: signedIn, visible } })`.
 */
export function liveRecord<Actor>(
  of: Table,
  who: { readonly admin?: Access<any>; readonly helpdesk?: LiveForCustomers<Actor>; readonly personal?: boolean },
): LiveRecord {
  return Object.freeze({ of, ...who });
}

/** The open streams of a tenant in this process. */
export interface Live {
  readonly streams: number;
  /**
   * Answers a stream of what the caller may see.
   * @param lastEventId where an earlier stream broke off
   * @throws tooMany() or unavailable() when there are too many streams
   */
  open(ctx: Context, surface: Surface<any>, lastEventId: string | undefined): Promise<StreamAnswer>;
  /** Looks for changes at once instead of within a second. */
  wake(): void;
  /** Ends all streams, and opens no more. */
  drain(): void;
}
