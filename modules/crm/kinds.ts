// The four tables that activities, notes, custom fields and search results are about.
import { invalid, type Context } from '@keelson/core';
import { CrmContact } from './contacts/entities.ts';
import type { EntityType } from './entity-types.ts';
import { Lead } from './leads/entities.ts';
import { Opportunity } from './opportunities/entities.ts';
import { Prospect } from './prospects/entities.ts';

/**
 * Holds the entity that something new is about: it cannot be deleted before that is stored (C-19).
 * @throws invalid() when it is absent (V-21)
 */
export async function holdEntity(ctx: Context, type: EntityType, id: number): Promise<void> {
  if (!(await reads[type](ctx, id))) throw invalid(`entity_id must be an existing ${type}`);
}

const lock = { lock: true } as const;
const reads: Readonly<Record<EntityType, (ctx: Context, id: number) => Promise<unknown>>> = Object.freeze({
  lead: (ctx, id) => ctx.db.one(Lead, { lead_id: id, deleted_at: null }, lock),
  contact: (ctx, id) => ctx.db.one(CrmContact, { contact_id: id, deleted_at: null }, lock),
  opportunity: (ctx, id) => ctx.db.one(Opportunity, { opportunity_id: id, deleted_at: null }, lock),
  prospect: (ctx, id) => ctx.db.one(Prospect, { prospect_id: id, deleted_at: null }, lock),
});
