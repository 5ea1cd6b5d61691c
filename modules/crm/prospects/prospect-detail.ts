// A prospect with its people, its opportunities and its history (F-77).
import { IsNull, show, showOne, z, type Context } from '@keelson/core';
import { ContactView } from '../contacts/contacts.ts';
import { CrmContact } from '../contacts/entities.ts';
import { ActivityHistory, DETAIL_LIMIT, readActivities } from '../history.ts';
import { Opportunity } from '../opportunities/entities.ts';
import { OpportunityView } from '../opportunities/opportunities.ts';
import type { Prospect } from './entities.ts';
import { ProspectView } from './prospects.ts';

export const ProspectDetail = ProspectView.shape.extend({
  contacts: z.array(ContactView.shape),
  opportunities: z.array(OpportunityView.shape),
  activities: ActivityHistory,
});

export async function readProspectDetail(ctx: Context, prospect: Prospect) {
  const { prospect_id } = prospect;
  const alive = { prospect_id, deleted_at: IsNull() };
  const byName = { last_name: 'ASC', first_name: 'ASC', contact_id: 'ASC' } as const;
  const newest = { created_at: 'DESC', opportunity_id: 'DESC' } as const;
  const contacts = await ctx.db.find(CrmContact, { where: alive, order: byName, take: DETAIL_LIMIT });
  const opportunities = await ctx.db.find(Opportunity, { where: alive, order: newest, take: DETAIL_LIMIT });
  return {
    ...(await showOne(ctx, ProspectView, prospect)),
    contacts: await show(ctx, ContactView, contacts),
    opportunities: await show(ctx, OpportunityView, opportunities),
    activities: await readActivities(ctx, 'prospect', prospect_id),
  };
}
