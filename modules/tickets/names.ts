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
  const known: { readonly key: K; readonly by: keyof References; readonly names: ReadonlyMap<number, string> }[] = [];
  for (const key of wanted) {
    const { names, by } = sources[key];
    const ids = tickets.map((each) => each[by]);
    known.push({ key, by, names: await ctx.app.names.get(ctx.db, names, ids) });
  }
  return (ticket) => {
    const named: Partial<Record<K, string | null>> = {};
    for (const { key, by, names } of known) {
      const id = ticket[by];
      named[key] = (id === null ? undefined : names.get(id)) ?? (key === 'company_name' ? '' : null);
    }
    return named as Pick<TicketNames, K>;
  };
}
