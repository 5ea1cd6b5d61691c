// The names shown for the ids of a ticket, from the process's cache: no list joins for them.
import type { Context, NameSource } from '@keelson/core';
import { CompanyNames, EmployeeNames, SiteNames, TechnicianNames } from '@keelson/modules/directory';

interface References {
  readonly company_number: number;
  readonly site_number: number | null;
  readonly assigned_to: number | null;
  readonly requester_employee_number: number | null;
}

export interface TicketNames {
  readonly company_name: string;
  readonly site_name: string | null;
  readonly assigned_name: string | null;
  readonly requester_name: string | null;
}

/** A function that knows the names of these tickets' companies, sites, technicians and requesters. */
export async function readTicketNames(
  ctx: Context,
  tickets: readonly References[],
): Promise<(ticket: References) => TicketNames> {
  const read = (source: NameSource, column: keyof References) =>
    ctx.app.names.get(
      ctx.db,
      source,
      tickets.map((each) => each[column]),
    );
  const companies = await read(CompanyNames, 'company_number');
  const sites = await read(SiteNames, 'site_number');
  const technicians = await read(TechnicianNames, 'assigned_to');
  const employees = await read(EmployeeNames, 'requester_employee_number');
  const of = (names: ReadonlyMap<number, string>, id: number | null) => (id === null ? null : (names.get(id) ?? null));
  return (ticket) => ({
    company_name: companies.get(ticket.company_number) ?? '',
    site_name: of(sites, ticket.site_number),
    assigned_name: of(technicians, ticket.assigned_to),
    requester_name: of(employees, ticket.requester_employee_number),
  });
}
