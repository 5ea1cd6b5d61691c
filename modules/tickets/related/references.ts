// Ticket references, read in one statement: the names that events carry, and whether each reference may be set.
import { cache, invalid, invalidateOnChange, perApp, type Context } from '@keelson/core';
import type { Db } from '@keelson/core/database';
import * as directory from '@keelson/modules/directory';
import type { Ticket } from '../entities.ts';

export type TicketReferences = Pick<
  Ticket,
  'company_number' | 'site_number' | 'assigned_to' | 'requester_employee_number'
>;

export interface References {
  readonly names: {
    readonly company_name: string;
    readonly site_name: string | null;
    readonly assigned_name: string | null;
  };
  /** Fields that refer to a missing record, another company's record, or an inactive technician. */
  readonly faults: ReadonlyMap<keyof TicketReferences, string>;
}

/** Reads the references of a ticket. @throws invalid() if the company does not exist */
export async function readReferences(db: Db, ticket: TicketReferences): Promise<References> {
  const { company_number, site_number, assigned_to: user_id, requester_employee_number: employee_number } = ticket;
  const found = await directory.readReferences(db, { company_number, site_number, user_id, employee_number });
  if (!found) throw invalid('company_number must be an existing company');
  const { company_name, site_name, technician_name: assigned_name } = found;
  return { names: { company_name, site_name, assigned_name }, faults: faultsIn(ticket, found) };
}

/**
 * Cached readReferences(), at most two seconds old, because the same customers often raise several tickets. Changes
 * made in this process apply at once.
 * @throws invalid() if the company does not exist
 */
export async function cachedReferences(ctx: Context, ticket: TicketReferences): Promise<References> {
  // A transaction that has written sees its own uncommitted rows, which must not be cached.
  if (ctx.tx && ctx.tx.writes() > 0) return readReferences(ctx.db, ticket);
  return recent(ctx.app).get(ctx.db, JSON.stringify(ticket));
}

/** Checks changed references. @throws invalid() naming the fields that may not be set (V-21, V-22) */
export function checkReferences({ faults }: References, fields: readonly string[]): void {
  const messages = [...faults].filter(([field]) => fields.includes(field)).map(([, message]) => message);
  if (messages.length > 0) throw invalid(messages.join('; '));
}

const recent = perApp((app) => {
  const kept = cache(app, (db, key: string) => readReferences(db, JSON.parse(key) as TicketReferences), {
    max: 10_000,
  });
  invalidateOnChange(app, kept, [directory.Company, directory.Site, directory.Technician, directory.Employee]);
  return kept;
});

function faultsIn(ticket: TicketReferences, found: directory.References): Map<keyof TicketReferences, string> {
  const faults = new Map<keyof TicketReferences, string>();
  if (ticket.site_number !== null && !found.siteFits)
    faults.set('site_number', 'site_number must be a site of the company');
  if (ticket.assigned_to !== null && !found.technicianFits)
    faults.set('assigned_to', 'assigned_to must be an active technician');
  if (ticket.requester_employee_number !== null && !found.employeeFits)
    faults.set('requester_employee_number', 'employee_number must be a contact of the company');
  return faults;
}
