// Names of the records that activities belong to.
import { In, type Context, type CrmCaller } from '@keelson/core';
import { ContactNames } from '../contacts/names.ts';
import type { EntityType } from '../entity-types.ts';
import { LeadNames } from '../leads/names.ts';
import { OpportunityNames } from '../opportunities/names.ts';
import { readerOf } from '../permissions.ts';
import { ProspectNames } from '../prospects/names.ts';
import { CrmActivity } from './entities.ts';

const sources = Object.freeze({
  lead: LeadNames,
  contact: ContactNames,
  opportunity: OpportunityNames,
  prospect: ProspectNames,
} satisfies Record<EntityType, unknown>);

/** Returns the names of the records of activities, by activity id. Omits records that the caller may not read. */
export async function readEntityNames(ctx: Context, ids: readonly number[]): Promise<Map<number, string>> {
  const activities = await ctx.db.findBy(CrmActivity, { activity_id: In([...ids]) });
  const names = new Map<number, string>();
  for (const [type, own] of Map.groupBy(activities, ({ entity_type }) => entity_type)) {
    if (!readerOf[type].allows(ctx.actor as CrmCaller)) continue;
    const known = await ctx.app.names.get(
      ctx.db,
      sources[type],
      own.map(({ entity_id }) => entity_id),
    );
    for (const { activity_id, entity_id } of own) {
      const name = known.get(entity_id);
      if (name !== undefined) names.set(activity_id, name);
    }
  }
  return names;
}
