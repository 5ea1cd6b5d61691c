// The names shown for the ids of a ticket, from the process's cache: no list joins for them.
import type { Context } from '@keelson/core';
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

const sources = {
  company_name: { names: CompanyNames, by: 'company_number' },
  site_name: { names: SiteNames, by: 'site_number' },
  assigned_name: { names: TechnicianNames, by: 'assigned_to' },
  requester_name: { names: EmployeeNames, by: 'requester_employee_number' },
} as const;

/** What technicians' lists show. */
export const forStaff = ['company_name', 'site_name', 'assigned_name'] as const;
/** What customers' lists show. */
export const forPortal = ['assigned_name', 'requester_name'] as const;
const all = ['company_name', 'site_name', 'assigned_name', 'requester_name'] as const;

/** A function that knows the names of these tickets' companies, sites, technicians and requesters, or of some of these. */
export async function readTicketNames<K extends keyof TicketNames = keyof TicketNames>(
  ctx: Context,
  tickets: readonly References[],
  wanted: readonly K[] = all as readonly (keyof TicketNames)[] as readonly K[],
): Promise<(ticket: References) => Pick<TicketNames, K>> {
  const known: Partial<Record<keyof TicketNames, ReadonlyMap<number, string>>> = {};
  for (const key of wanted) {
    const { names, by } = sources[key];
    const ids = tickets.map((each) => each[by]);
    known[key] = await ctx.app.names.get(ctx.db, names, ids);
  }
  // All of them, wanted or not: an object that gets one name after the other costs ten times as much.
  return (ticket): TicketNames => ({
    company_name: nameOf(known.company_name, ticket.company_number) ?? '',
    site_name: nameOf(known.site_name, ticket.site_number),
    assigned_name: nameOf(known.assigned_name, ticket.assigned_to),
    requester_name: nameOf(known.requester_name, ticket.requester_employee_number),
  });
}

function nameOf(names: ReadonlyMap<number, string> | undefined, id: number | null): string | null {
  return (id === null ? undefined : names?.get(id)) ?? null;
}
