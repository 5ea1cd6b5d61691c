// Live records: the tables whose changes are pushed to open pages, and who may receive them (docs/live.md).
import type { Table } from '@keelson/database/schema/table.ts';
import type { Filter } from '@keelson/list/list.ts';
import type { Context } from '../context.ts';
import type { Access } from '../route/surface.ts';

/** Which customer employees receive changes. */
export interface LiveForCustomers<Actor = any> {
  readonly access: Access<Actor>;
  /** The rows this person may see within their company. Default: all rows of the company. */
  readonly visible?: (ctx: Context<Actor>) => readonly Filter[];
  /** Rows without a company go to everyone. Default: to no one. */
  readonly common?: boolean;
}

/** A table whose changes are pushed to open pages. */
export interface LiveRecord {
  readonly of: Table;
  /** Receivers on the administrative surface. Default: none. */
  readonly admin?: Access<any>;
  /** Receivers on the helpdesk surface. Default: none. */
  readonly helpdesk?: LiveForCustomers;
  /** The key of a change is a technician's id, and only that technician receives it. */
  readonly personal?: boolean;
  /** Paths of operations that no view of the table answers, but that its changes outdate. */
  readonly paths?: readonly string[];
}

/**
 * Declares that open pages are notified when a row of the table is created, changed or removed: `liveRecord(Ticket, {
 * admin: ReadTickets, helpdesk: { access: signedIn, visible } })`.
 */
export function liveRecord<Actor>(
  of: Table,
  who: Omit<LiveRecord, 'of' | 'helpdesk'> & { readonly helpdesk?: LiveForCustomers<Actor> },
): LiveRecord {
  return Object.freeze({ of, ...who });
}
