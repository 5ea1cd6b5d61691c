// From rows to what answers and events show.
import { fromMinor, type Context } from '@keelson/core';
import { readCurrency } from './settings.ts';
import { noFields, readFields } from './custom-fields/custom-values.ts';
import { CrmContact } from './contacts/entities.ts';
import { Lead } from './leads/entities.ts';
import { Opportunity } from './opportunities/entities.ts';
import { Prospect } from './prospects/entities.ts';
import { ProspectNames } from './prospects/names.ts';

/** An opportunity as events carry it (EV-16). */
export function toOpportunityData({ opportunity_id, name, prospect_id, stage, value_minor, status }: Opportunity) {
  return { opportunity_id, name, prospect_id, stage, value: fromMinor(value_minor), status };
}

type Listed = Omit<Opportunity, 'open_stage' | 'deleted_at'>;

/** Opportunities with amounts, the prospects' names and the values of their custom fields. */
export async function showOpportunities<O extends Listed>(ctx: Context, opportunities: readonly O[]) {
  const ids = opportunities.map((each) => each.opportunity_id);
  const fields = await readFields(ctx, 'opportunity', ids);
  const currency = await readCurrency(ctx);
  const names = await ctx.app.names.get(
    ctx.db,
    ProspectNames,
    opportunities.map((each) => each.prospect_id),
  );
  return opportunities.map((each) => ({
    ...each,
    value: fromMinor(each.value_minor),
    currency,
    prospect_name: each.prospect_id === null ? null : (names.get(each.prospect_id) ?? null),
    custom_fields: fields.get(each.opportunity_id) ?? noFields,
  }));
}

interface Links {
  readonly contact_id?: number | null;
  readonly prospect_id?: number | null;
  readonly opportunity_id?: number | null;
  readonly lead_id?: number | null;
}

/** The records that a record is linked to; null where there is none (S-13). */
export async function readLinked(ctx: Context, { contact_id, prospect_id, opportunity_id, lead_id }: Links) {
  const { db } = ctx;
  const alive = { deleted_at: null };
  const opportunity = opportunity_id && (await db.one(Opportunity, { opportunity_id, ...alive }));
  return {
    contact: (contact_id && (await db.one(CrmContact, { contact_id, ...alive }))) || null,
    prospect: (prospect_id && (await db.one(Prospect, { prospect_id, ...alive }))) || null,
    lead: (lead_id && (await db.one(Lead, { lead_id, ...alive }))) || null,
    opportunity: opportunity ? { ...toOpportunityData(opportunity), currency: await readCurrency(ctx) } : null,
  };
}
