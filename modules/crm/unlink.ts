// Sets links to a deleted record to null (C-19). Writes the rows directly: in the activity log, it is part of the
// deletion.
import type { Context } from '@keelson/core';
import { CrmContact } from './contacts/entities.ts';
import { Lead } from './leads/entities.ts';
import { Opportunity } from './opportunities/entities.ts';

export async function unlinkLead({ db }: Context, lead_id: number): Promise<void> {
  await db.update(CrmContact, { lead_id }, { lead_id: null });
  await db.update(Opportunity, { lead_id }, { lead_id: null });
}

export async function unlinkContact({ db }: Context, contact_id: number): Promise<void> {
  await db.update(Lead, { contact_id }, { contact_id: null });
  await db.update(Opportunity, { contact_id }, { contact_id: null });
}

export async function unlinkOpportunity({ db }: Context, opportunity_id: number): Promise<void> {
  await db.update(Lead, { opportunity_id }, { opportunity_id: null });
}

export async function unlinkProspect({ db }: Context, prospect_id: number): Promise<void> {
  await db.update(Lead, { prospect_id }, { prospect_id: null });
  await db.update(Opportunity, { prospect_id }, { prospect_id: null });
  await db.update(CrmContact, { prospect_id }, { prospect_id: null, account: 0 });
}
