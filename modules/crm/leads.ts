// Leads: found, captured, changed, deleted.
import {
  changesBetween,
  conflict,
  DuplicateKey,
  duplicate,
  invalid,
  normalised,
  notFound,
  readDropdown,
  updateCounters,
  type Context,
} from '@keelson/core';
import { defined, differing } from './change.ts';
import { changedFields, fieldTexts, newFields, type CustomFields, type GivenFields } from './custom-values.ts';
import { LeadSources } from './dropdowns.ts';
import { Lead, type LeadStatus } from './entities/lead.ts';
import { LeadCreated, LeadDeleted, LeadUpdated } from './events.ts';
import { checkReferences } from './references.ts';
import { removeParts } from './subject-parts.ts';
import { unlinkLead } from './unlink.ts';
import { digitsOf, removeWords, replaceWords, storeWords, transactionOf } from './words.ts';

export interface NewLead {
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly company_name?: string | undefined;
  readonly source?: string | undefined;
  readonly form_type?: string | undefined;
  readonly raw_payload?: Readonly<Record<string, string>> | undefined;
  readonly custom_fields?: GivenFields | undefined;
}

export interface LeadUpdate extends NewLead {
  readonly status?: LeadStatus | undefined;
  readonly assigned_to?: number | null | undefined;
  readonly score?: number | undefined;
}

/** @throws notFound() when it is absent or deleted */
export function findLead(ctx: Context, lead_id: number): Promise<Lead> {
  return read(ctx, lead_id, { lock: false });
}

/** The same for somebody who is about to change it. */
export function lockLead(ctx: Context, lead_id: number): Promise<Lead> {
  return read(ctx, lead_id, { lock: true });
}

/** Takes an enquiry in. @throws duplicate() while another lead with the address is still worked on (V-28) */
export async function createLead(ctx: Context, { custom_fields, ...given }: NewLead): Promise<Lead> {
  const tx = transactionOf(ctx);
  requireReachable(given);
  const fields = await newFields(ctx, 'lead', custom_fields);
  const row = {
    first_name: '',
    last_name: '',
    email: '',
    phone: '',
    company_name: '',
    form_type: '',
    raw_payload: {},
    ...defined(given),
    source: await resolveSource(ctx, given.source ?? ''),
    email_key: keyOf(given.email ?? '', 'new'),
    status: 'new' as const,
    score: 0,
    assigned_to: null,
    contact_id: null,
    prospect_id: null,
    opportunity_id: null,
    converted_at: null,
    created_at: ctx.now,
    updated_at: ctx.now,
    deleted_at: null,
  };
  const lead: Lead = { ...row, lead_id: await tx.insert(Lead, row).catch(taken) };
  await fields.store(lead.lead_id);
  await storeWords(ctx, 'lead', lead.lead_id, wordingOf(lead, fields.after));
  updateCounters(ctx, Lead, undefined, lead);
  ctx.emit(LeadCreated, { lead_id: lead.lead_id, email: lead.email, source: lead.source });
  record(ctx, 'create', lead, 'created');
  return lead;
}

/** Changes a lead that was locked in the same transaction (M-21, M-22, C-05). A change of nothing changes nothing. */
export async function updateLead(ctx: Context, lead: Lead, { custom_fields, ...update }: LeadUpdate): Promise<Lead> {
  checkMove(lead, update.status);
  const wanted = { ...defined(update) };
  if (update.source !== undefined) wanted.source = await resolveSource(ctx, update.source);
  const set = differing(lead, wanted);
  const fields = await changedFields(ctx, 'lead', lead.lead_id, custom_fields);
  const changes = [...Object.keys(set), ...(fields.differs ? ['custom_fields'] : [])];
  if (changes.length === 0) return lead;
  await checkReferences(ctx, { assigned_to: set.assigned_to });
  const { lead_id, email, source, status } = { ...lead, ...set };
  const stored = { ...set, email_key: keyOf(email, status), updated_at: ctx.now };
  const after = { ...lead, ...stored };
  requireReachable(after);
  await ctx.db.update(Lead, { lead_id }, stored).catch(taken);
  await fields.store(lead.lead_id);
  await replaceWords(ctx, 'lead', lead.lead_id, wordingOf(after, fields.after));
  updateCounters(ctx, Lead, lead, after);
  ctx.emit(LeadUpdated, { lead_id, email, source, status, changes });
  ctx.record({
    action: 'update',
    entity_type: 'lead',
    entity_id: lead_id,
    description: `Lead ${nameOf(after)} updated`,
    changes: { ...changesBetween(lead, { ...set }), ...(fields.differs && { custom_fields: [null, fields.after] }) },
  });
  return after;
}

/** Deletes a lead with its activities and notes; links elsewhere become null (C-19). */
export async function deleteLead(ctx: Context, lead: Lead): Promise<void> {
  const { lead_id, email, source } = lead;
  await ctx.db.update(Lead, { lead_id }, { email_key: null, deleted_at: ctx.now });
  await removeParts(ctx, 'lead', lead_id);
  await unlinkLead(ctx, lead_id);
  await removeWords(ctx, 'lead', lead_id);
  updateCounters(ctx, Lead, lead, undefined);
  ctx.emit(LeadDeleted, { lead_id, email, source });
  record(ctx, 'delete', lead, 'deleted');
}

/** What a lead is called: its person, else the company, else how to reach it. */
export function nameOf({ first_name, last_name, company_name, email, phone }: Lead): string {
  return `${first_name} ${last_name}`.trim() || company_name || email || phone;
}

/** What a source means: the listed one whatever its case, else the text as it is; `api` without one (C-03). */
export async function resolveSource(ctx: Context, text: string): Promise<string> {
  const known = (await readDropdown(ctx, LeadSources)).find((each) => normalised(each.value) === normalised(text));
  return known?.value ?? (text || 'api');
}

/** A lead that is worked on holds its address; one that is done with does not (V-28). */
export function keyOf(email: string, status: LeadStatus): string | null {
  return email === '' || status === 'converted' || status === 'unqualified' ? null : normalised(email);
}

function wordingOf(lead: Lead, fields: CustomFields) {
  return {
    main: [lead.first_name, lead.last_name, lead.email, lead.company_name],
    more: [lead.phone, digitsOf(lead.phone), ...fieldTexts(fields)],
  };
}

async function read(ctx: Context, lead_id: number, options: { lock: boolean }): Promise<Lead> {
  const lead = await ctx.db.one(Lead, { lead_id, deleted_at: null }, options);
  if (!lead) throw notFound('Lead');
  return lead;
}

function requireReachable({ email, phone }: NewLead): void {
  if (!email && !phone) throw invalid('email or phone is required');
}

function checkMove(lead: Lead, status: LeadStatus | undefined): void {
  if (status === undefined || status === lead.status) return;
  if (lead.status === 'converted') throw conflict('status of a converted lead cannot be changed');
  if (status === 'converted') throw invalid('status becomes converted by POST /leads/{id}/convert: use convert');
}

function taken(error: unknown): never {
  if (error instanceof DuplicateKey) throw duplicate('A lead with this email already exists');
  throw error;
}

function record(ctx: Context, action: 'create' | 'delete', lead: Lead, what: string): void {
  const description = `Lead ${nameOf(lead)} ${what}`;
  ctx.record({ action, entity_type: 'lead', entity_id: lead.lead_id, description });
}
