// Leads: listed, captured, changed, deleted.
import {
  by,
  change,
  conflict,
  create,
  invalid,
  is,
  normalised,
  param,
  readDropdown,
  record,
  searched,
  view,
  type Context,
} from '@keelson/core';
import { changedFields, newFields, type GivenFields } from '../custom-fields/custom-values.ts';
import { LeadSources } from '../dropdowns.ts';
import { LeadCreated, LeadDeleted, LeadUpdated } from '../events.ts';
import { deleteHistory } from '../history.ts';
import { checkReferences } from '../references.ts';
import { unlinkLead } from '../unlink.ts';
import { Lead, type LeadStatus } from './entities.ts';
import { leadName, LeadNames } from './names.ts';

export const Leads = record(Lead, {
  title: 'Lead',
  call: leadName,
  names: LeadNames,
  filters: (its) => ({
    status: its.is('status'),
    source: its.by(param.text(), async (ctx, text) => is('source', await resolveSource(ctx, text))),
    assigned_to: its.is('assigned_to'),
    search: searched(Lead),
    created_after: its.since('created_at'),
    created_before: its.until('created_at'),
  }),
  sorts: {
    created_at: by('created_at'),
    updated_at: by('updated_at'),
    lead_id: by('lead_id'),
    first_name: by('first_name'),
    last_name: by('last_name'),
    email: by('email'),
    company_name: by('company_name'),
    status: by('status', 'created_at'),
    source: by('source', 'created_at'),
    score: by('score', 'created_at'),
    assigned_to: by('assigned_to', 'created_at'),
  },
  // Only open leads reserve their address (V-28).
  taken: () => 'A lead with this email already exists',
  derive: ({ email, status }) => ({ email_key: keyOf(email, status) }),
  async prepare(ctx, { email, phone, status, assigned_to }, before) {
    if (before) checkMove(before, status);
    await checkReferences(ctx, { assigned_to }, before);
    if (!email && !phone) throw invalid('Enter an email or a phone number');
  },
  created: (ctx, { lead_id, email, source }) => ctx.emit(LeadCreated, { lead_id, email, source }),
  changed(ctx, changes) {
    for (const { after, changed } of changes) {
      const { lead_id, email, source, status } = after;
      ctx.emit(LeadUpdated, { lead_id, email, source, status, changes: [...changed] }, { changed });
    }
  },
  /** Deletes its activities and notes too. Links from other records become null (C-19). */
  async removed(ctx, leads) {
    for (const { lead_id, email, source } of leads) {
      await deleteHistory(ctx, 'lead', lead_id);
      await unlinkLead(ctx, lead_id);
      ctx.emit(LeadDeleted, { lead_id, email, source });
    }
  },
});

/** A lead in lists. */
export const LeadItem = view(Leads, {
  except: ['form_type', 'raw_payload', 'contact_id', 'prospect_id', 'opportunity_id', 'converted_at'],
});

/** The response to the sender of an enquiry: a public key may not read leads. */
export const LeadReceipt = view(Leads, { only: ['lead_id', 'status', 'created_at'] });

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

export async function createLead(ctx: Context, { custom_fields, ...given }: NewLead): Promise<Lead> {
  const fields = await newFields(ctx, 'lead', custom_fields);
  const source = await resolveSource(ctx, given.source ?? '');
  const lead = { ...given, source, raw_payload: given.raw_payload ?? {} };
  return create(ctx, Leads, lead, { store: (row) => fields.store(row.lead_id) });
}

/** Changes a lead that was locked in the same transaction (M-21, M-22, C-05). */
export async function updateLead(ctx: Context, lead: Lead, { custom_fields, ...update }: LeadUpdate): Promise<Lead> {
  const source = update.source === undefined ? undefined : await resolveSource(ctx, update.source);
  const fields = await changedFields(ctx, 'lead', lead.lead_id, custom_fields);
  return change(
    ctx,
    Leads,
    lead,
    { ...update, source },
    {
      extra: fields.changes,
      store: (row) => fields.store(row.lead_id),
    },
  );
}

/** Returns the listed source, ignoring case; else the text as given, or `api` for a key's lead without one (C-03). */
async function resolveSource(ctx: Context, text: string): Promise<string> {
  const known = (await readDropdown(ctx, LeadSources)).find((each) => normalised(each.value) === normalised(text));
  return known?.value ?? (text || (ctx.author.type === 'technician' ? '' : 'api'));
}

/** Two open leads cannot share an address; closed ones can (V-28). */
function keyOf(email: string, status: LeadStatus): string | null {
  return email === '' || status === 'converted' || status === 'unqualified' ? null : normalised(email);
}

function checkMove(lead: Lead, status: LeadStatus): void {
  if (status === lead.status) return;
  if (lead.status === 'converted') throw conflict('status of a converted lead cannot be changed');
  if (status === 'converted') throw invalid('status can only be set to converted with POST /leads/{id}/convert');
}
