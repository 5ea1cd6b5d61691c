// Which tickets a customer's person may see. Every read of the helpdesk surface goes through here; the administrative
// surface sees everything that is not deleted.
import { is, sql, type Context, type EmployeeActor, type Filter } from '@keelson/core';
import { teamOf } from '@keelson/modules/directory';

/**
 * - `mine`: what the person asked for; an IT admin's are the whole company's (Z-03)
 * - `seen`: what may be opened by its id (Z-04)
 * - `team`: what members of the groups they manage asked for (T-04)
 * - `decided`: `team`, and the person's own: whose approval is theirs, or refused to them as their own (T-02, M-08)
 */
export type Scope = 'mine' | 'seen' | 'team' | 'decided';

/** What a ticket must fulfil for the signed-in person; never another company's (Z-01). */
export function visibleTickets({ actor }: Context<EmployeeActor>, scope: Scope): Filter[] {
  const company = is('company_number', actor.company_number);
  const own = () => sql`ticket.requester_employee_number = ${actor.employee_number}`;
  const team = () => sql`ticket.requester_employee_number IN ${teamOf(actor.employee_number)}`;
  switch (scope) {
    case 'mine':
      return actor.it_privileges ? [company] : [company, is('requester_employee_number', actor.employee_number)];
    case 'seen':
      return actor.it_privileges ? [company] : [company, sql`${own()} OR ${team()}`];
    case 'team':
      return [company, team(), sql`NOT (${own()})`];
    case 'decided':
      return [company, sql`${own()} OR ${team()}`];
  }
}

/** Comments customers may read (T-13); an internal one is never shown, nor counted. */
export const publicComments = Object.freeze({ is_internal: false });
