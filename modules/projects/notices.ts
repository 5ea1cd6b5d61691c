// Project mails to the people who must act next. The recipient and the need for the mail are checked when it is due.
import { In, IsNull, sendMail, type Context, type Occurrence, toMinor, type OutOf, type z } from '@keelson/core';
import { readCurrency, worded, type Spoken } from '@keelson/core/plugin';
import { CompanyNames, readManagers, readRecipient, Technician } from '@keelson/modules/directory';
import { Milestone, MilestoneStep, Project, PunchItem, PunchResponse } from './entities.ts';
import type { PunchListSubmitted } from './events.ts';
import {
  MilestoneApprovalMail,
  MilestoneDecidedMail,
  PunchItemMail,
  PunchItemReadyMail,
  PunchListMail,
} from './mail-templates.ts';
import type { SharedMilestone } from './milestones/milestone-list.ts';
import type { PunchItemFacts } from './punch-list/punch-list.ts';

type MilestoneNews = Occurrence<OutOf<typeof SharedMilestone>>;
type ItemNews = Occurrence<OutOf<typeof PunchItemFacts>>;
type SubmittedItems = z.infer<(typeof PunchListSubmitted)['shape']>;

/** Asks the company's managers for a decision (Z-18), unless one was made in the meantime. */
export async function mailManagers(ctx: Context, { data }: MilestoneNews): Promise<void> {
  const { milestone_id, company_number } = data;
  const milestone = await ctx.db.findOneBy(Milestone, {
    milestone_id,
    status: 'pending_approval',
    deleted_at: IsNull(),
  });
  if (!milestone || !(await isOn(ctx, company_number))) return;
  const facts = { ...(await milestoneFacts(ctx, data)), description: data.description };
  const amount =
    data.amount === null ? '–' : { minor: toMinor(data.amount, 3) ?? 0, currency: await readCurrency(ctx) };
  // As in the portal, only those who can view billing see the amount (Z-15).
  for (const can_view_billing of [true, false])
    for (const to of await readManagers(ctx, company_number, { can_view_billing }))
      sendMail(ctx, MilestoneApprovalMail, { to, data: { ...facts, amount: can_view_billing ? amount : '–' } });
}

/** Tells the project manager about the customer's decision or question. */
export async function mailDecision(ctx: Context, { data }: MilestoneNews): Promise<void> {
  const to = await readProjectManager(ctx, data.project_id);
  if (!to) return;
  const decision = inWords(data.status);
  sendMail(ctx, MilestoneDecidedMail, { to, data: { ...(await milestoneFacts(ctx, data)), decision } });
}

/** Tells the project manager about new items, with one mail per request. */
export async function mailNewItems(ctx: Context, { data }: Occurrence<SubmittedItems>): Promise<void> {
  const where = { item_id: In(data.item_ids), deleted_at: IsNull() };
  const items = await ctx.db.find(PunchItem, { where, order: { item_id: 'ASC' } });
  const [first] = items;
  const to = await readProjectManager(ctx, data.project_id);
  if (!to || !first) return;
  const { submitted_by: author_name } = first;
  const { item_title, ...facts } = await itemFacts(ctx, first);
  if (items.length === 1) {
    const news = { item_title, author_name, comment: first.description, status: inWords(first.status) };
    return void sendMail(ctx, PunchItemMail, { to, data: { ...facts, ...news } });
  }
  const list = items.map(({ title, location }) => (location === '' ? `- ${title}` : `- ${title} (${location})`));
  sendMail(ctx, PunchListMail, {
    to,
    data: { ...facts, author_name, items: String(items.length), list: list.join('\n') },
  });
}

/** Tells the project manager about the customer's response to an item. */
export async function mailItemNews(ctx: Context, { data }: ItemNews): Promise<void> {
  const to = await readProjectManager(ctx, data.project_id);
  if (!to) return;
  const latest = await ctx.db.findOne(PunchResponse, {
    where: { item_id: data.item_id },
    order: { response_id: 'DESC' },
  });
  const author_name = latest?.author_name ?? data.submitted_by;
  const facts = { ...(await itemFacts(ctx, data)), author_name, comment: latest?.response ?? data.description };
  sendMail(ctx, PunchItemMail, { to, data: { ...facts, status: inWords(data.status) } });
}

/** Asks the submitter to review an item. */
export async function mailSubmitter(ctx: Context, { data }: ItemNews): Promise<void> {
  const { item_id, company_number } = data;
  const item = await ctx.db.findOneBy(PunchItem, { item_id, status: 'ready_for_review', deleted_at: IsNull() });
  if (!item || !(await isOn(ctx, company_number))) return;
  const to = await readRecipient(ctx, item.submitter_number);
  if (!to) return;
  const facts = { ...(await itemFacts(ctx, data)), author_name: '', comment: item.feedback ?? '' };
  sendMail(ctx, PunchItemReadyMail, { to, data: facts });
}

const states: ReadonlyMap<string, Spoken> = new Map([
  ['pending', worded('pending')],
  ['pending_approval', worded('pending approval')],
  ['approved', worded('approved')],
  ['rejected', worded('rejected')],
  ['info_requested', worded('info requested')],
  ['open', worded('open')],
  ['in_progress', worded('in progress')],
  ['ready_for_review', worded('ready for review')],
  ['closed', worded('closed')],
]);

const inWords = (status: string): Spoken => states.get(status) ?? status;

async function milestoneFacts(ctx: Context, data: MilestoneNews['data']) {
  const { milestone_id, name: milestone_name, project_name, company_name } = data;
  const step = await ctx.db.findOne(MilestoneStep, { where: { milestone_id }, order: { step_id: 'DESC' } });
  const { comment = '', author_name = '' } = step ?? {};
  return { milestone_name, project_name, company_name, comment, author_name };
}

type ItemPlace = Pick<PunchItem, 'project_id' | 'company_number' | 'title'>;

async function itemFacts(ctx: Context, { project_id, company_number, title }: ItemPlace) {
  const project = await ctx.db.findOneBy(Project, { project_id });
  const names = await ctx.app.names.get(ctx.db, CompanyNames, [company_number]);
  return { project_name: project?.name ?? '', item_title: title, company_name: names.get(company_number) ?? '' };
}

async function readProjectManager(ctx: Context, project_id: number) {
  const project = await ctx.db.findOneBy(Project, { project_id, deleted_at: IsNull() });
  const user_id = project?.project_manager_id ?? null;
  if (user_id === null) return undefined;
  const technician = await ctx.db.findOneBy(Technician, { user_id, active: true, deleted_at: IsNull() });
  return technician && { name: technician.name, address: technician.email };
}

/** Returns whether the module is enabled for the customer; otherwise no mails are sent. */
function isOn(ctx: Context, company_number: number): Promise<boolean> {
  return ctx.app.switches.enabled(ctx, company_number, 'projects');
}
