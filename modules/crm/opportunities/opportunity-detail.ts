// An opportunity with its history and linked records (F-81).
import { showOne, z, type Context } from '@keelson/core';
import { ActivityHistory, NoteHistory, readActivities, readNotes } from '../history.ts';
import { LinkedContact, LinkedLead, LinkedProspect, readLinked } from '../linked.ts';
import type { Opportunity } from './entities.ts';
import { OpportunityView } from './opportunities.ts';

export const OpportunityDetail = OpportunityView.shape.extend({
  activities: ActivityHistory,
  notes: NoteHistory,
  linked_entities: z.object({ prospect: LinkedProspect, contact: LinkedContact, lead: LinkedLead }),
});

export async function readOpportunityDetail(ctx: Context, opportunity: Opportunity) {
  const { opportunity_id, prospect_id, contact_id, lead_id } = opportunity;
  return {
    ...(await showOne(ctx, OpportunityView, opportunity)),
    activities: await readActivities(ctx, 'opportunity', opportunity_id),
    notes: await readNotes(ctx, 'opportunity', opportunity_id),
    linked_entities: await readLinked(ctx, { prospect_id, contact_id, lead_id }),
  };
}
