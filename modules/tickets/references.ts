// What a ticket refers to, read in one statement: the names that events carry, and whether each reference may be set.
import { cache, invalid, invalidateOnChange, perApp, type Context, type Db } from '@keelson/core';
import * as directory from '@keelson/modules/directory';
import type { TicketNames } from './names.ts';

export interface Wanted {
  readonly company_number: number;
  readonly site_number: number | null;
  readonly assigned_to: number | null;
  readonly requester_employee_number: number | null;
}

export interface References {
  readonly names: TicketNames;
  /** The fields that point at nothing, at somebody else's record, or at a technician who left. */
  readonly faults: ReadonlyMap<keyof Wanted, string>;
}

/**
 * The same, good for two seconds: customers raise tickets again and again. A change in this process counts at once.
 * @throws invalid() when the company does not exist
 */
export async function cachedReferences(ctx: Context, wanted: Wanted): Promise<References> {
  // What a transaction wrote itself may yet be rolled back.
  if (ctx.tx && ctx.tx.writes() > 0) return readReferences(ctx.db, wanted);
  return recent(ctx.app).get(ctx.db, JSON.stringify(wanted));
}

/** @throws invalid() when the company does not exist */
export async function readReferences(db: Db, wanted: Wanted): Promise<References> {
  const { company_number, site_number, assigned_to: user_id, requester_employee_number: employee_number } = wanted;
  const found = await directory.readReferences(db, { company_number, site_number, user_id, employee_number });
  if (!found) throw invalid('company_number must be an existing company');
  return { names: namesIn(found), faults: faultsIn(wanted, found) };
}

/** @throws invalid() for the first of the fields that may not be set (V-21, V-22) */
export function checkReferences({ faults }: References, fields: readonly string[]): void {
  const wrong = [...faults].filter(([field]) => fields.includes(field)).map(([, message]) => message);
  if (wrong.length > 0) throw invalid(wrong.join('; '));
}

const recent = perApp((app) => {
  const kept = cache((db, wanted: string) => readReferences(db, JSON.parse(wanted) as Wanted), { max: 10_000 });
  invalidateOnChange(app, kept, [directory.Company, directory.Site, directory.Technician, directory.Employee]);
  return kept;
});

function namesIn({ company_name, site_name, technician_name, employee }: directory.References): TicketNames {
  const requester_name = employee ? `${employee.first_name} ${employee.last_name}`.trim() : null;
  return { company_name, site_name, assigned_name: technician_name, requester_name };
}

function faultsIn(wanted: Wanted, found: directory.References): Map<keyof Wanted, string> {
  const faults = new Map<keyof Wanted, string>();
  if (wanted.site_number !== null && !found.siteFits)
    faults.set('site_number', 'site_number must be a site of the company');
  if (wanted.assigned_to !== null && !found.technicianFits)
    faults.set('assigned_to', 'assigned_to must be an active technician');
  if (wanted.requester_employee_number !== null && !found.employeeFits)
    faults.set('requester_employee_number', 'employee_number must be a contact of the company');
  return faults;
}
