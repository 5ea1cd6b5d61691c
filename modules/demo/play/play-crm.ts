// Creates the CRM's data: leads sent by the website's key, and their follow-up by sales.
import { dayOf, lock, plus, toMinor, type App, type Context, type CrmKey } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import {
  convertLead,
  convertProspect,
  createActivity,
  createContact,
  createCustomField,
  createLead,
  createNote,
  createOpportunity,
  createProspect,
  Opportunities,
  Prospects,
  updateActivity,
  updateLead,
  updateOpportunity,
  updateProspect,
} from '@keelson/modules/crm';
import type { Customer, Staff } from '../people.ts';
import { customFields, leads, prospects, type LeadStory, type ProspectStory } from '../stories/story-crm.ts';

interface Cast {
  readonly staff: Staff;
  /** The key of the website's forms. */
  readonly website: CrmKey;
  /** Former prospects. */
  readonly customers: readonly Customer[];
}

type About = Parameters<typeof createNote>[1]['entity_type'];

/** Defines custom fields, and adds leads, prospects, contacts, opportunities, activities and notes. */
export async function playCrm(app: App, cast: Cast): Promise<void> {
  await at(app, cast, 60).transaction(async (ctx) => {
    for (const each of customFields) await createCustomField(ctx, each);
  });
  for (const story of oldestFirst(prospects))
    await at(app, cast, story.days_ago).transaction((ctx) => playProspect(ctx, cast, story));
  for (const story of oldestFirst(leads))
    await at(app, cast, story.days_ago).transaction((ctx) => playLead(ctx, cast, story));
  for (const each of cast.customers) await at(app, cast, 58).transaction((ctx) => playCustomer(ctx, each));
}

async function playLead(ctx: Context, cast: Cast, story: LeadStory): Promise<void> {
  const { status, score = 0, by, value = 0 } = story;
  const lead = await createLead(ctx, story.lead);
  await playParts(ctx, cast, 'lead', lead.lead_id, story);
  const assigned_to = by ? cast.staff[by].user_id : null;
  const worked = await updateLead(ctx, lead, { score, assigned_to, ...(status !== 'converted' && { status }) });
  if (status !== 'converted') return;
  const all = { create_contact: true, create_prospect: true, create_opportunity: true };
  await convertLead(ctx, worked, { ...all, opportunity_value: toMinor(value) });
}

async function playProspect(ctx: Context, cast: Cast, story: ProspectStory): Promise<void> {
  const assigned_to = story.by ? cast.staff[story.by].user_id : null;
  const prospect = await createProspect(ctx, { ...story.prospect, assigned_to });
  const { prospect_id } = prospect;
  for (const each of story.people ?? [])
    await createContact(ctx, { ...each, prospect_id, company_name: prospect.name });
  for (const { name, value, stage, status, lost_reason, close_in_days } of story.deals ?? []) {
    const expected_close_date = close_in_days ? dayOf(plus(ctx.app.clock.now(), { days: close_in_days })) : null;
    const given = { name, prospect_id, value: toMinor(value), stage, expected_close_date, assigned_to };
    const { opportunity_id } = await createOpportunity(ctx, given);
    if (status === 'lost')
      await updateOpportunity(ctx, await lock(ctx, Opportunities, opportunity_id), { status, lost_reason });
  }
  await playParts(ctx, cast, 'prospect', prospect_id, story);
  if (story.status === 'inactive') await updateProspect(ctx, prospect, { status: 'inactive' });
}

/** Creates the prospect that a customer was converted from. */
async function playCustomer(ctx: Context, { company }: Customer): Promise<void> {
  const { customer: name, city, country, company_number } = company;
  const { prospect_id } = await createProspect(ctx, { name, city, country });
  await convertProspect(ctx, await lock(ctx, Prospects, prospect_id), { company_number, create_contacts: false });
}

async function playParts(
  ctx: Context,
  { staff }: Cast,
  entity_type: About,
  entity_id: number,
  { by = 'administrator', tasks = [], note }: LeadStory | ProspectStory,
): Promise<void> {
  for (const { type, subject, due_in_hours, minutes, done = false } of tasks) {
    const due_date = due_in_hours === undefined ? null : plus(ctx.app.clock.now(), { hours: due_in_hours });
    const given = {
      entity_type,
      entity_id,
      type,
      subject,
      due_date,
      duration_minutes: minutes,
      assigned_to: staff[by].user_id,
    };
    const activity = await createActivity(ctx, given);
    if (done) await updateActivity(ctx, activity, { completed: true });
  }
  if (note) await createNote(ctx, { entity_type, entity_id, content: note, is_pinned: true });
}

/** Returns a context of the website's key, some days ago. */
function at(app: App, { website }: Cast, days_ago: number): Context<CrmKey> {
  const author: Author = { type: 'api', id: website.key_id, name: website.name };
  return contextOf({ app, actor: website, author, now: plus(app.clock.now(), { days: -days_ago }) });
}

function oldestFirst<S extends { readonly days_ago: number }>(stories: readonly S[]): S[] {
  return stories.toSorted((a, b) => b.days_ago - a.days_ago);
}
