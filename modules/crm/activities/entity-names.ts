// Names of the records that activities belong to.
import { In, type Context, type CrmCaller } from '@keelson/core';
import { contactName, CrmContact } from '../contacts/entities.ts';
import { entityTypes, type EntityType } from '../entity-types.ts';
import { Lead, leadName } from '../leads/entities.ts';
import { Opportunity } from '../opportunities/entities.ts';
import { readerOf } from '../permissions.ts';
import { Prospect } from '../prospects/entities.ts';
import { CrmActivity } from './entities.ts';

type Names = readonly (readonly [id: number, name: string])[];

const readers: Readonly<Record<EntityType, (ctx: Context, ids: readonly number[]) => Promise<Names>>> = Object.freeze({
  lead: async ({ db }, ids) =>
    (await db.findBy(Lead, { lead_id: In([...ids]) })).map((lead) => [lead.lead_id, leadName(lead)] as const),
  contact: async ({ db }, ids) =>
    (await db.findBy(CrmContact, { contact_id: In([...ids]) })).map(
      (each) => [each.contact_id, contactName(each)] as const,
    ),
  opportunity: async ({ db }, ids) =>
    (await db.findBy(Opportunity, { opportunity_id: In([...ids]) })).map(
      (each) => [each.opportunity_id, each.name] as const,
    ),
  prospect: async ({ db }, ids) =>
    (await db.findBy(Prospect, { prospect_id: In([...ids]) })).map((each) => [each.prospect_id, each.name] as const),
});

/**
 * Returns the names of the records of activities, by activity id: one statement per type of record. Omits types that the
 * caller may not read.
 */
export async function readEntityNames(ctx: Context, ids: readonly number[]): Promise<Map<number, string>> {
  const activities = await ctx.db.findBy(CrmActivity, { activity_id: In([...ids]) });
  const names = new Map<number, string>();
  for (const type of entityTypes) {
    const own = activities.filter(({ entity_type }) => entity_type === type);
    if (own.length === 0 || !readerOf[type].allows(ctx.actor as CrmCaller)) continue;
    const found = new Map(await readers[type](ctx, [...new Set(own.map(({ entity_id }) => entity_id))]));
    for (const { activity_id, entity_id } of own) names.set(activity_id, found.get(entity_id) ?? '');
  }
  return names;
}
