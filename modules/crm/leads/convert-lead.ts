// Converts a lead into a contact, a prospect and optionally an opportunity (C-06 to C-10, Z-50).
import {
  announceChange,
  duplicate,
  forbidden,
  input,
  invalid,
  IsNull,
  normalised,
  Problem,
  type Context,
  type CrmCaller,
} from '@keelson/core';
import { updateCounters } from '@keelson/core/list';
import { insertContact } from '../contacts/contacts.ts';
import { CrmContact } from '../contacts/entities.ts';
import { defaultFields } from '../custom-fields/custom-values.ts';
import { LeadConverted } from '../events.ts';
import { insertOpportunity } from '../opportunities/opportunities.ts';
import { WriteContacts, WriteOpportunities, WriteProspects } from '../permissions.ts';
import { Prospect } from '../prospects/entities.ts';
import { insertProspect } from '../prospects/prospects.ts';
import { Lead } from './entities.ts';
import { leadName } from './names.ts';

export interface Conversion {
  readonly create_contact: boolean;
  readonly create_prospect: boolean;
  readonly create_opportunity: boolean;
  readonly opportunity_name?: string | undefined;
  /** In minor units. */
  readonly opportunity_value?: number | undefined;
}

export interface Converted {
  readonly contact_id: number | null;
  readonly prospect_id: number | null;
  readonly opportunity_id: number | null;
  readonly lead_status: 'converted';
}

/** Requires that a key may write the records it creates. @throws forbidden() (Z-50) */
export function requireConverter(
  actor: CrmCaller,
  { create_contact, create_prospect, create_opportunity }: Conversion,
): void {
  const needed = [
    create_contact && WriteContacts,
    create_prospect && WriteProspects,
    create_opportunity && WriteOpportunities,
  ];
  if (needed.some((each) => each && !each.allows(actor))) throw forbidden();
}

/**
 * Converts a lead that was locked in the same transaction, so that it is converted only once. Links an existing contact
 * with the same address and an existing prospect of the same name (C-09).
 * @throws duplicate() when it is already converted (E-06); invalid() when nothing is to be created (C-07)
 */
export async function convertLead(ctx: Context, lead: Lead, wanted: Conversion): Promise<Converted> {
  if (!wanted.create_contact && !wanted.create_prospect && !wanted.create_opportunity)
    throw invalid('create_contact, create_prospect or create_opportunity must be true');
  if (lead.status === 'converted') throw duplicate('The lead is already converted');
  const prospect = wanted.create_prospect ? await findOrAddProspect(ctx, lead) : undefined;
  const prospect_id = prospect?.prospect_id ?? null;
  const contact_id = wanted.create_contact ? await findOrAddContact(ctx, lead, prospect_id) : null;
  const opportunity_id = wanted.create_opportunity
    ? await addOpportunity(ctx, lead, wanted, { prospect_id, contact_id, customer: prospect?.name ?? leadName(lead) })
    : null;
  await storeConversion(ctx, lead, { contact_id, prospect_id, opportunity_id });
  return { contact_id, prospect_id, opportunity_id, lead_status: 'converted' };
}

type Ids = Pick<Converted, 'contact_id' | 'prospect_id' | 'opportunity_id'>;

async function findOrAddProspect(ctx: Context, lead: Lead): Promise<Prospect> {
  const name = prospectName(lead);
  const find = () =>
    ctx.db.findOne(Prospect, {
      where: { name_key: normalised(name), deleted_at: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
  const { email, phone, assigned_to } = lead;
  const add = async () =>
    insertProspect(ctx, { name, email, phone, assigned_to }, await defaultFields(ctx, 'prospect'));
  return (await find()) ?? addOrFind(add, find);
}

/** Returns the name for the prospect. @throws invalid() when the company's or person's name is too long */
function prospectName(lead: Lead): string {
  const name = lead.company_name || leadName(lead);
  const source = lead.company_name ? 'company_name' : 'first_name and last_name';
  if (!PROSPECT_NAME.safeParse(name).success) throw invalid(`${source} must be at most 255 characters for a prospect`);
  return name;
}

// The name is also stored normalised, which may be longer.
const PROSPECT_NAME = input.text(255, { compared: true });

async function findOrAddContact(ctx: Context, lead: Lead, prospect_id: number | null): Promise<number> {
  const { lead_id, first_name, last_name, email, phone, company_name, assigned_to } = lead;
  const find = async () =>
    email === ''
      ? null
      : ctx.db.findOne(CrmContact, {
          where: { email_key: normalised(email), deleted_at: IsNull() },
          lock: { mode: 'pessimistic_write' },
        });
  // A contact needs a name; a lead may have only a phone number.
  const named = first_name || last_name || email ? { first_name, last_name } : { first_name: leadName(lead) };
  const given = { ...named, email, phone, company_name, assigned_to, prospect_id, lead_id };
  const add = async () => insertContact(ctx, given, await defaultFields(ctx, 'contact'));
  return ((await find()) ?? (await addOrFind(add, find))).contact_id;
}

async function addOpportunity(
  ctx: Context,
  lead: Lead,
  { opportunity_name, opportunity_value = 0 }: Conversion,
  { customer, ...links }: { customer: string; prospect_id: number | null; contact_id: number | null },
): Promise<number> {
  const { lead_id, assigned_to } = lead;
  const name = opportunity_name || `${customer} opportunity`.slice(-255);
  const given = { name, value: opportunity_value, assigned_to, lead_id, ...links };
  return (await insertOpportunity(ctx, given, await defaultFields(ctx, 'opportunity'))).opportunity_id;
}

/** Adds a record, or finds the one that a concurrent transaction added. */
async function addOrFind<R>(add: () => Promise<R>, find: () => Promise<R | null>): Promise<R> {
  try {
    return await add();
  } catch (error) {
    const existing = error instanceof Problem && error.kind === 'duplicate' ? await find() : null;
    if (existing === null) throw error;
    return existing;
  }
}

/** Writes the rows directly: a conversion is logged as such, and emits `lead.converted` instead of `lead.updated`. */
async function storeConversion(ctx: Context, lead: Lead, ids: Ids): Promise<void> {
  const { lead_id, email, source } = lead;
  const set = { ...ids, status: 'converted', email_key: null, converted_at: ctx.now, updated_at: ctx.now } as const;
  await ctx.db.update(Lead, { lead_id }, set);
  updateCounters(ctx, Lead, lead, { ...lead, ...set });
  announceChange(ctx, { of: Lead, row: lead, kind: 'changed' });
  ctx.emit(LeadConverted, { lead_id, email, source, ...ids });
  ctx.record({
    action: 'update',
    entity_type: 'lead',
    entity_id: lead_id,
    description: `Lead ${leadName(lead)} converted`,
    changes: { status: [lead.status, 'converted'] },
  });
}
