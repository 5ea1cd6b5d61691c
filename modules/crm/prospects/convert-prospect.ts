// Converts a prospect into a customer (C-17, C-18).
import { announceChange, duplicate, In, IsNull, type Context } from '@keelson/core';
import { updateCounters } from '@keelson/core/list';
import { createCompany, createEmployee, Employee, holdCompany } from '@keelson/modules/directory';
import { CrmContact } from '../contacts/entities.ts';
import { ProspectConverted } from '../events.ts';
import { Prospect } from './entities.ts';

export interface ProspectConversion {
  /** An existing company to link instead of creating one. */
  readonly company_number?: number | undefined;
  /** Adds the contacts to the company as employees, except those whose address an employee already has. */
  readonly create_contacts: boolean;
}

/**
 * Converts a prospect that was locked in the same transaction, so that it is converted only once. Writes the row
 * directly: a conversion is logged as such, and `change` refuses the status `converted`.
 * @throws duplicate() when it is already converted (E-06), or a company has its name (C-18); invalid() for an unknown
 * company
 */
export async function convertProspect(ctx: Context, prospect: Prospect, wanted: ProspectConversion) {
  const { prospect_id, name } = prospect;
  if (prospect.status === 'converted') throw duplicate('The prospect is already converted');
  const company_number = await companyFor(ctx, prospect, wanted.company_number);
  if (wanted.create_contacts) await addEmployees(ctx, prospect_id, company_number);
  const set = { status: 'converted', company_number, updated_at: ctx.now } as const;
  await ctx.db.update(Prospect, { prospect_id }, set);
  updateCounters(ctx, Prospect, prospect, { ...prospect, ...set });
  announceChange(ctx, { of: Prospect, row: { prospect_id }, kind: 'changed' });
  ctx.emit(ProspectConverted, { prospect_id, name, status: 'converted', company_number });
  ctx.record({
    action: 'update',
    entity_type: 'prospect',
    entity_id: prospect_id,
    description: `Prospect ${name} converted to company ${company_number}`,
    changes: { status: [prospect.status, 'converted'], company_number: [null, company_number] },
  });
  return { prospect_id, company_number, status: 'converted' as const };
}

async function companyFor(ctx: Context, prospect: Prospect, company_number: number | undefined): Promise<number> {
  if (company_number !== undefined) {
    await holdCompany(ctx, company_number);
    return company_number;
  }
  const { name: customer, address, city, state, zip, country, phone, email, website, industry } = prospect;
  const values = { customer, address, city, state, zip, country, phone, email, website, industry };
  return (await createCompany(ctx, values)).company_number;
}

async function addEmployees(ctx: Context, prospect_id: number, company_number: number): Promise<void> {
  const contacts = await ctx.db.find(CrmContact, {
    where: { prospect_id, deleted_at: IsNull() },
    order: { contact_id: 'ASC' },
  });
  const used = await usedAddresses(ctx, contacts);
  for (const each of contacts) {
    const { email, email_key, first_name, last_name, phone, mobile, title } = each;
    if (email_key === null || used.has(email_key)) continue;
    // An employee needs a name; a contact may have only an address.
    const named =
      first_name || last_name ? { first_name, last_name } : { first_name: email.split('@')[0] ?? email, last_name };
    // Created inactive: any key with prospects:write may convert, and an active employee could sign in with an identity
    // provider.
    const inactive = { status: 'Inactive', awaits_technician: true } as const;
    await createEmployee(ctx, { ...named, company_number, email, phone, mobile, title, ...inactive });
  }
}

async function usedAddresses({ db }: Context, contacts: readonly CrmContact[]): Promise<ReadonlySet<string | null>> {
  const email_key = contacts.flatMap((each) => each.email_key ?? []);
  const employees = await db.findBy(Employee, { email_key: In(email_key) });
  return new Set(employees.map((each) => each.email_key));
}
