// Ticket visibility for customers. Every read on the helpdesk surface uses these conditions; the administrative surface
// sees all tickets that are not deleted.
import { is, sql, type Context, type EmployeeActor } from '@keelson/core';
import type { Filter } from '@keelson/core/list';
import { teamOf } from '@keelson/modules/directory';

/**
 * Visibility scopes.
 * - `mine`: the person's own requests; for an IT admin, the whole company's (Z-03)
 * - `seen`: everything the person may open by id and answer (Z-04), including the target of a merged ticket (T-31) and
 *   the tickets they watch (T-40)
 * - `changed`: `seen` without the tickets they only watch
 * - `watched`: the tickets they watch
 * - `team`: requests by members of the groups they manage (T-04)
 * - `decided`: `team` plus the person's own, which are found but may not be decided (T-02, M-08)
 */
export type Scope = 'mine' | 'seen' | 'changed' | 'watched' | 'team' | 'decided';

/** Returns the filters of a scope for the signed-in person, always limited to their company (Z-01). */
export function visibleTickets({ actor }: Context<EmployeeActor>, scope: Scope): Filter[] {
  const company = is('company_number', actor.company_number);
  const own = () => sql`ticket.requester_employee_number = ${actor.employee_number}`;
  const team = () => sql`ticket.requester_employee_number IN ${teamOf(actor.employee_number)}`;
  const survives = () => sql`ticket.ticket_id IN (SELECT ticket_merge.into_id FROM ticket_merge
    JOIN ticket AS merged ON merged.ticket_id = ticket_merge.ticket_id
    WHERE merged.requester_employee_number = ${actor.employee_number}
      OR merged.requester_employee_number IN ${teamOf(actor.employee_number)})`;
  const watched = () => sql`ticket.ticket_id IN (SELECT ticket_watcher.ticket_id FROM ticket_watcher
    WHERE ticket_watcher.kind = 'contact' AND ticket_watcher.person_id = ${actor.employee_number})`;
  switch (scope) {
    case 'mine':
      return actor.it_privileges ? [company] : [company, is('requester_employee_number', actor.employee_number)];
    case 'seen':
      return actor.it_privileges ? [company] : [company, sql`${own()} OR ${team()} OR ${survives()} OR ${watched()}`];
    case 'changed':
      return actor.it_privileges ? [company] : [company, sql`${own()} OR ${team()} OR ${survives()}`];
    case 'watched':
      return [company, watched()];
    case 'team':
      return [company, team(), sql`NOT (${own()})`];
    case 'decided':
      return [company, sql`${own()} OR ${team()}`];
  }
}

/** Filter for customer-visible comments (T-13): internal ones are neither shown nor counted. */
export const publicComments = Object.freeze({ is_internal: false });
