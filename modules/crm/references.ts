// What records of the CRM refer to (V-21, V-22).
import { invalid, type Context } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { CrmContact } from './contacts/entities.ts';
import { Prospect } from './prospects/entities.ts';

export interface References {
  readonly assigned_to?: number | null | undefined;
  readonly prospect_id?: number | null | undefined;
  readonly contact_id?: number | null | undefined;
}

/** Prospects and contacts stay until the transaction ends. @throws invalid() for each that may not be set */
export async function checkReferences(ctx: Context, wanted: References): Promise<void> {
  const { assigned_to, prospect_id, contact_id } = wanted;
  const faults: string[] = [];
  if (assigned_to && !(await ctx.db.one(Technician, { user_id: assigned_to, active: true, deleted_at: null })))
    faults.push('assigned_to must be an active technician');
  if (prospect_id && !(await ctx.db.one(Prospect, { prospect_id, deleted_at: null }, { lock: true })))
    faults.push('prospect_id must be an existing prospect');
  if (contact_id && !(await ctx.db.one(CrmContact, { contact_id, deleted_at: null }, { lock: true })))
    faults.push('contact_id must be an existing contact');
  if (faults.length > 0) throw invalid(faults.join('; '));
}
