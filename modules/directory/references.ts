// Reads what a record of another module refers to in one statement: the names, and whether each reference is allowed.
import { invalid, IsNull, sql, type Context } from '@keelson/core';
import type { Db } from '@keelson/core/database';
import { Company } from './entities/company.ts';
import { Site } from './entities/site.ts';

export interface Referred {
  readonly company_number: number;
  readonly site_number: number | null;
  readonly user_id: number | null;
  readonly employee_number: number | null;
}

export interface References {
  readonly company_name: string;
  readonly site_name: string | null;
  readonly technician_name: string | null;
  readonly employee: { readonly first_name: string; readonly last_name: string } | undefined;
  /** The site belongs to the company. */
  readonly siteFits: boolean;
  /** The technician is active. */
  readonly technicianFits: boolean;
  /** The employee belongs to the company. */
  readonly employeeFits: boolean;
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

/** Returns the references, or undefined when the company does not exist. */
export async function readReferences(
  db: Db,
  { company_number, site_number, user_id, employee_number }: Referred,
): Promise<References | undefined> {
  const [found] = await db.query<Found>(sql`SELECT company.customer, site.site_name,
      site.company_number = company.company_number AND site.deleted_at IS NULL AS site_fits,
      technician.name AS technician, technician.active AND technician.deleted_at IS NULL AS technician_fits,
      employee.first_name, employee.last_name,
      employee.company_number = company.company_number AND employee.deleted_at IS NULL AS employee_fits
    FROM company
    LEFT JOIN site ON site.site_number = ${site_number}
    LEFT JOIN technician ON technician.user_id = ${user_id}
    LEFT JOIN employee ON employee.employee_number = ${employee_number}
    WHERE company.company_number = ${company_number} AND company.deleted_at IS NULL`);
  if (!found) return undefined;
  const { first_name, last_name } = found;
  return {
    company_name: found.customer,
    site_name: found.site_name,
    technician_name: found.technician,
    employee: first_name === null ? undefined : { first_name, last_name: last_name ?? '' },
    siteFits: Boolean(found.site_fits),
    technicianFits: Boolean(found.technician_fits),
    employeeFits: Boolean(found.employee_fits),
  };
}

/**
 * Locks a company against deletion until the transaction ends (V-26).
 * @throws invalid() when it does not exist (V-21)
 */
export async function holdCompany(ctx: Context, company_number: number): Promise<void> {
  if (
    !(await ctx.db.findOne(Company, {
      where: { company_number, deleted_at: IsNull() },
      lock: { mode: 'pessimistic_write' },
    }))
  )
    throw invalid('company_number must be an existing company');
}

interface Place {
  readonly company_number: number;
  readonly site_number?: number | null;
}

/**
 * Checks the company and site of another module's record, in its `prepare`. The company must exist and stay the same,
 * and the site must belong to it. Locks both until the record is stored, so that they cannot be deleted in the
 * meantime.
 * @throws invalid() naming the field (V-21)
 */
export async function checkPlace(ctx: Context, after: Place, before?: Place): Promise<void> {
  const { company_number, site_number = null } = after;
  if (before && company_number !== before.company_number) throw invalid('company_number cannot be changed');
  if (!before) await holdCompany(ctx, company_number);
  if (site_number === null || site_number === before?.site_number) return;
  if (
    !(await ctx.db.findOne(Site, {
      where: { site_number, company_number, deleted_at: IsNull() },
      lock: { mode: 'pessimistic_write' },
    }))
  )
    throw invalid('site_number must be a site of the company');
}
