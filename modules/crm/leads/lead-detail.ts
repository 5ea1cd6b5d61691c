// A lead with its custom fields, its history, and the records it was converted to (F-78).
import { view, z, type Context } from '@keelson/core';
import { CustomValues, noFields, readFields } from '../custom-fields/custom-values.ts';
import { ActivityHistory, NoteHistory, readActivities, readNotes } from '../history.ts';
import { LinkedContact, LinkedOpportunity, LinkedProspect, readLinked } from '../linked.ts';
import type { Lead } from './entities.ts';
import { Leads } from './leads.ts';

export const LeadDetail = view(Leads).shape.extend({
  custom_fields: CustomValues,
  activities: ActivityHistory,
  notes: NoteHistory,
  linked_entities: z.object({ contact: LinkedContact, prospect: LinkedProspect, opportunity: LinkedOpportunity }),
});

export async function readLeadDetail(ctx: Context, lead: Lead) {
  const { lead_id, contact_id, prospect_id, opportunity_id } = lead;
  return {
    ...lead,
    custom_fields: (await readFields(ctx, 'lead', [lead_id])).get(lead_id) ?? noFields,
    activities: await readActivities(ctx, 'lead', lead_id),
    notes: await readNotes(ctx, 'lead', lead_id),
    linked_entities: await readLinked(ctx, { contact_id, prospect_id, opportunity_id }),
  };
}
