// Reply templates with placeholders for ticket details.
import {
  change,
  create,
  input,
  invalid,
  lock,
  normalised,
  notFound,
  record,
  remove,
  view,
  z,
  type Context,
} from '@keelson/core';
import { CompanyNames, EmployeeNames, TechnicianNames } from '@keelson/modules/directory';
import { findTicket } from '@keelson/modules/tickets';
import type { Desk } from '../access.ts';
import { ReplyTemplate } from '../entities.ts';
import { announceOwn } from './announce-own.ts';
import { requireOwner, requireRoom, requireSharing } from './owned.ts';

export const ReplyTemplates = record(ReplyTemplate, {
  title: 'Reply template',
  call: ({ title }) => title,
  taken: ({ title }) => `title ${title} already exists`,
  derive: ({ title }) => ({ title_key: normalised(title) }),
  announced: false,
  prepare: (_ctx, { text }) => checkPlaces(text),
  created: (ctx, { user_id }) => announceOwn(ctx, ReplyTemplate, user_id),
  changed: (ctx, changes) => changes.forEach(({ after }) => announceOwn(ctx, ReplyTemplate, after.user_id)),
  removed: (ctx, rows) => rows.forEach(({ user_id }) => announceOwn(ctx, ReplyTemplate, user_id)),
});

export const ReplyTemplateItem = view(ReplyTemplates, {
  more: (its) => ({ user_name: its.name(TechnicianNames, 'user_id') }),
});

const fields = { title: input.text(100, { compared: true }), text: input.longText(), shared: input.flag() };

export const newTemplate = z.object({ ...fields, shared: input.optional(fields.shared) });
export const templateChanges = input.changes(fields);

const places = ['requester', 'company', 'ticket', 'subject', 'technician'] as const;
type Place = (typeof places)[number];
const PLACE = /\{\{\s*(\w*)\s*\}\}/g;

/** Lists the caller's own and the shared templates, by title. There are few, so the list is not paginated. */
export async function listTemplates({ db, actor }: Desk): Promise<ReplyTemplate[]> {
  const own = await db.findBy(ReplyTemplate, { user_id: actor.user_id });
  const shared = await db.findBy(ReplyTemplate, { shared: true });
  const others = shared.filter((each) => each.user_id !== actor.user_id);
  return [...own, ...others].toSorted((a, b) => a.title.localeCompare(b.title) || a.template_id - b.template_id);
}

/**
 * Adds a template.
 * @throws duplicate() for a title the caller has already used; forbidden() for a shared one; conflict() when there are
 * too many
 */
export async function addTemplate(ctx: Desk, { shared = false, ...given }: z.output<typeof newTemplate>) {
  await requireRoom(ctx, ReplyTemplate, 'reply templates');
  if (shared) await requireSharing(ctx, ReplyTemplate, 'reply templates');
  return create(ctx, ReplyTemplates, { ...given, user_id: ctx.actor.user_id, shared });
}

/** Finds a template that the caller may use: their own, or a shared one. @throws notFound() */
export async function findTemplate({ db, actor }: Desk, template_id: number): Promise<ReplyTemplate> {
  const found = await db.findOneBy(ReplyTemplate, { template_id });
  if (!found || (found.user_id !== actor.user_id && !found.shared)) throw notFound('Reply template');
  return found;
}

/** Locks a template that the caller may change (owned.ts). @throws notFound(); forbidden() */
export async function lockTemplate(ctx: Desk, id: number): Promise<ReplyTemplate> {
  const found = await lock(ctx, ReplyTemplates, id);
  requireOwner(ctx, found, 'Reply template');
  return found;
}

export async function changeTemplate(
  ctx: Desk,
  template: ReplyTemplate,
  wanted: z.output<typeof templateChanges>,
): Promise<ReplyTemplate> {
  if (wanted.shared && !template.shared) await requireSharing(ctx, ReplyTemplate, 'reply templates');
  return change(ctx, ReplyTemplates, template, wanted);
}

export function deleteTemplate(ctx: Context, template: ReplyTemplate): Promise<void> {
  return remove(ctx, ReplyTemplates, template);
}

/**
 * Returns the text with its placeholders filled. Without a ticket, those that need one stay.
 * @throws notFound() for the ticket
 */
export async function fillTemplate(ctx: Desk, { text }: ReplyTemplate, ticket_id: number | undefined): Promise<string> {
  const values = new Map<string, string>([['technician', ctx.actor.name]]);
  if (ticket_id !== undefined) for (const [place, value] of await readPlaces(ctx, ticket_id)) values.set(place, value);
  return text.replace(PLACE, (whole, place: string) => values.get(place) ?? whole);
}

async function readPlaces(ctx: Context, ticket_id: number): Promise<[Place, string][]> {
  const { app, db } = ctx;
  const {
    company_number,
    requester_employee_number: requester,
    ticket_number,
    subject,
  } = await findTicket(ctx, ticket_id);
  const companies = await app.names.get(db, CompanyNames, [company_number]);
  const employees = await app.names.get(db, EmployeeNames, [requester]);
  return [
    ['requester', (requester !== null && employees.get(requester)) || ''],
    ['company', companies.get(company_number) ?? ''],
    ['ticket', String(ticket_number)],
    ['subject', subject],
  ];
}

/** Requires that all placeholders are known. @throws invalid() otherwise */
function checkPlaces(text: string): void {
  const known: readonly string[] = places;
  const wrong = [...text.matchAll(PLACE)].find(([, place = '']) => !known.includes(place));
  if (wrong)
    throw invalid(
      `text contains the unknown placeholder ${wrong[0].slice(0, 60)} (available: ${places.map((each) => `{{${each}}}`).join(', ')})`,
    );
}
