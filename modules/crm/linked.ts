// Short forms of the records that a record links to (S-13).
import { fromMinor, IsNull, type Context } from '@keelson/core';
import { readCurrency } from '@keelson/core/plugin';
import { ContactView } from './contacts/contacts.ts';
import { CrmContact } from './contacts/entities.ts';
import { Lead } from './leads/entities.ts';
import { LeadItem } from './leads/leads.ts';
import { Opportunity } from './opportunities/entities.ts';
import { OpportunityView } from './opportunities/opportunities.ts';
import { Prospect } from './prospects/entities.ts';
import { ProspectView } from './prospects/prospects.ts';

export const LinkedContact = ContactView.shape
  .pick({ contact_id: true, first_name: true, last_name: true, email: true })
  .nullable();
export const LinkedProspect = ProspectView.shape.pick({ prospect_id: true, name: true, status: true }).nullable();
export const LinkedLead = LeadItem.shape
  .pick({ lead_id: true, first_name: true, last_name: true, email: true, status: true })
  .nullable();
export const LinkedOpportunity = OpportunityView.shape
  .pick({ opportunity_id: true, name: true, stage: true, status: true, value: true, currency: true })
  .nullable();

interface Links {
  readonly contact_id?: number | null;
  readonly prospect_id?: number | null;
  readonly opportunity_id?: number | null;
  readonly lead_id?: number | null;
}

/** Returns the linked records, or null for each missing one; the shapes above leave out the other columns. */
export async function readLinked(ctx: Context, { contact_id, prospect_id, opportunity_id, lead_id }: Links) {
  const { db } = ctx;
  const alive = { deleted_at: IsNull() };
  const opportunity = opportunity_id && (await db.findOneBy(Opportunity, { opportunity_id, ...alive }));
  return {
    contact: (contact_id && (await db.findOneBy(CrmContact, { contact_id, ...alive }))) || null,
    prospect: (prospect_id && (await db.findOneBy(Prospect, { prospect_id, ...alive }))) || null,
    lead: (lead_id && (await db.findOneBy(Lead, { lead_id, ...alive }))) || null,
    opportunity: opportunity
      ? { ...opportunity, value: fromMinor(opportunity.value_minor), currency: await readCurrency(ctx) }
      : null,
  };
}
