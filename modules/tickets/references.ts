// What a ticket refers to, read in one statement: the names that events carry, and whether each reference may be set.
import { cache, invalid, keepFresh, perApp, sql, type Context, type Db } from '@keelson/core';
import { Company, Employee, Site, Technician } from '@keelson/modules/directory';
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

interface Found {
  readonly customer: string;
  readonly site_name: string | null;
  readonly site_fits: number | null;
  readonly technician: string | null;
  readonly technician_fits: number | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly employee_fits: number | null;
}

/**
 * The same, good for two seconds: customers raise tickets again and again. A change in this process counts at once.
 * @throws invalid() when the company does not exist
 */
export async function recallReferences(ctx: Context, wanted: Wanted): Promise<References> {
  // What a transaction wrote itself may yet be rolled back.
  if (ctx.tx && ctx.tx.writes() > 0) return readReferences(ctx.db, wanted);
  return recent(ctx.app).get(ctx.db, JSON.stringify(wanted));
}

/** @throws invalid() when the company does not exist */
export async function readReferences(db: Db, wanted: Wanted): Promise<References> {
  const { company_number, site_number, assigned_to, requester_employee_number } = wanted;
  const [found] = await db.query<Found>(sql`SELECT company.customer, site.site_name,
      site.company_number = company.company_number AND site.deleted_at IS NULL AS site_fits,
      technician.name AS technician, technician.active AND technician.deleted_at IS NULL AS technician_fits,
      employee.first_name, employee.last_name,
      employee.company_number = company.company_number AND employee.deleted_at IS NULL AS employee_fits
    FROM company
    LEFT JOIN site ON site.site_number = ${site_number}
    LEFT JOIN technician ON technician.user_id = ${assigned_to}
    LEFT JOIN employee ON employee.employee_number = ${requester_employee_number}
    WHERE company.company_number = ${company_number} AND company.deleted_at IS NULL`);
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
  keepFresh(app, kept, [Company, Site, Technician, Employee]);
  return kept;
});

function namesIn(found: Found): TicketNames {
  const requester = `${found.first_name ?? ''} ${found.last_name ?? ''}`.trim();
  return {
    company_name: found.customer,
    site_name: found.site_name,
    assigned_name: found.technician,
    requester_name: found.first_name === null ? null : requester,
  };
}

function faultsIn(wanted: Wanted, found: Found): Map<keyof Wanted, string> {
  const faults = new Map<keyof Wanted, string>();
  if (wanted.site_number !== null && !found.site_fits)
    faults.set('site_number', 'site_number must be a site of the company');
  if (wanted.assigned_to !== null && !found.technician_fits)
    faults.set('assigned_to', 'assigned_to must be an active technician');
  if (wanted.requester_employee_number !== null && !found.employee_fits)
    faults.set('requester_employee_number', 'employee_number must be a contact of the company');
  return faults;
}
