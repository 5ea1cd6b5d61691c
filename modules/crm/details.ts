// One record with everything that belongs to it (F-77, F-78, F-81).
import type { Context } from '@keelson/core';
import { showContacts } from './contacts/contacts.ts';
import { noFields, readFields } from './custom-fields/custom-values.ts';
import { CrmContact } from './contacts/entities.ts';
import type { Lead } from './leads/entities.ts';
import { Opportunity } from './opportunities/entities.ts';
import type { Prospect } from './prospects/entities.ts';
import { readLinked, showOpportunities } from './present.ts';
import { MOST_PARTS, readActivities, readNotes } from './subject-parts.ts';

/** A lead with its activity history and what it was converted to. */
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

/** One opportunity as lists show it. */
export async function readOpportunity(ctx: Context, opportunity: Opportunity) {
  const [shown] = await showOpportunities(ctx, [opportunity]);
  if (!shown) throw new Error('One opportunity in, one out');
  return shown;
}

export async function readOpportunityDetail(ctx: Context, opportunity: Opportunity) {
  const { opportunity_id, prospect_id, contact_id, lead_id } = opportunity;
  return {
    ...(await readOpportunity(ctx, opportunity)),
    activities: await readActivities(ctx, 'opportunity', opportunity_id),
    notes: await readNotes(ctx, 'opportunity', opportunity_id),
    linked_entities: await readLinked(ctx, { prospect_id, contact_id, lead_id }),
  };
}

export async function readContact(ctx: Context, contact: CrmContact) {
  const [shown] = await showContacts(ctx, [contact]);
  if (!shown) throw new Error('One contact in, one out');
  return shown;
}

/** A prospect with its people, its deals and what was done. */
export async function readProspectDetail(ctx: Context, prospect: Prospect) {
  const { prospect_id } = prospect;
  const alive = { prospect_id, deleted_at: null };
  const byName = [
    ['last_name', 'ASC'],
    ['first_name', 'ASC'],
    ['contact_id', 'ASC'],
  ] as const;
  const newest = [
    ['created_at', 'DESC'],
    ['opportunity_id', 'DESC'],
  ] as const;
  const contacts = await ctx.db.find(CrmContact, alive, { order: byName, limit: MOST_PARTS });
  const opportunities = await ctx.db.find(Opportunity, alive, { order: newest, limit: MOST_PARTS });
  return {
    ...prospect,
    custom_fields: (await readFields(ctx, 'prospect', [prospect_id])).get(prospect_id) ?? noFields,
    contacts: await showContacts(ctx, contacts),
    opportunities: await showOpportunities(ctx, opportunities),
    activities: await readActivities(ctx, 'prospect', prospect_id),
  };
}
