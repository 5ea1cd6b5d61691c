// Checks that referenced CRM records exist (V-21, V-22).
import { invalid, IsNull, type Context } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { CrmContact } from './contacts/entities.ts';
import type { EntityType } from './entity-types.ts';
import { Lead } from './leads/entities.ts';
import { Opportunity } from './opportunities/entities.ts';
import { Prospect } from './prospects/entities.ts';

export interface References {
  readonly assigned_to?: number | null | undefined;
  readonly prospect_id?: number | null | undefined;
  readonly contact_id?: number | null | undefined;
}

/**
 * Checks only the references that a write changes: a technician deactivated in the meantime does not block other
 * changes. Locks prospects and contacts until the transaction ends.
 * @param before the current record; absent for a new one
 * @throws invalid() naming each invalid reference
 */
export async function checkReferences(ctx: Context, wanted: References, before: References = {}): Promise<void> {
  const anew = (field: keyof References) => (wanted[field] === before[field] ? undefined : wanted[field]);
  const [user_id, prospect_id, contact_id] = [anew('assigned_to'), anew('prospect_id'), anew('contact_id')];
  const faults: string[] = [];
  if (user_id && !(await ctx.db.existsBy(Technician, { user_id, active: true, deleted_at: IsNull() })))
    faults.push('assigned_to must be an active technician');
  if (prospect_id && !(await ctx.db.findOne(Prospect, { where: { prospect_id, deleted_at: IsNull() }, lock })))
    faults.push('prospect_id must be an existing prospect');
  if (contact_id && !(await ctx.db.findOne(CrmContact, { where: { contact_id, deleted_at: IsNull() }, lock })))
    faults.push('contact_id must be an existing contact');
  if (faults.length > 0) throw invalid(faults.join('; '));
}

/**
 * Locks the entity of a new activity or note, so that it cannot be deleted before that is stored (C-19).
 * @throws invalid() when it does not exist (V-21)
 */
export async function lockEntity(ctx: Context, type: EntityType, id: number): Promise<void> {
  if (!(await lockers[type](ctx, id))) throw invalid(`entity_id must be an existing ${type}`);
}

/** Returns the entity that an activity or note belongs to. */
export function entityOf({ entity_type, entity_id }: { entity_type: EntityType; entity_id: number }) {
  const of = tables[entity_type];
  return { of, row: { [of.primary]: entity_id } };
}

const tables = Object.freeze({ lead: Lead, contact: CrmContact, opportunity: Opportunity, prospect: Prospect });
const lock = { mode: 'pessimistic_write' } as const;
const lockers: Readonly<Record<EntityType, (ctx: Context, id: number) => Promise<unknown>>> = Object.freeze({
  lead: ({ db }, lead_id) => db.findOne(Lead, { where: { lead_id, deleted_at: IsNull() }, lock }),
  contact: ({ db }, contact_id) => db.findOne(CrmContact, { where: { contact_id, deleted_at: IsNull() }, lock }),
  opportunity: ({ db }, opportunity_id) =>
    db.findOne(Opportunity, { where: { opportunity_id, deleted_at: IsNull() }, lock }),
  prospect: ({ db }, prospect_id) => db.findOne(Prospect, { where: { prospect_id, deleted_at: IsNull() }, lock }),
});
