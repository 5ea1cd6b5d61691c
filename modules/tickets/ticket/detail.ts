// Ticket detail with all related data.
import { show, showOne, z, type Context, type EmployeeActor } from '@keelson/core';
import { showSlot } from '@keelson/core/plugin';
import { Employee } from '@keelson/modules/directory';
import { readComments, readPublicComments } from '../comments/comments.ts';
import type { Ticket } from '../entities.ts';
import { maySetWatchers, PortalWatcher, readPortalWatchers, readWatchers, Watcher } from '../people/watchers.ts';
import {
  ChecklistItem,
  LinkedAsset,
  LinkedContract,
  readLinks,
  TicketChecklist,
  TicketLevel,
  TicketLevels,
} from '../related/links.ts';
import { readMergedInto } from '../related/merged-into.ts';
import { family, portalFamily, readFamily, readPortalFamily } from '../related/parents.ts';
import { readTimeEntries } from '../time-entries.ts';
import { CommentItem, FullTicket, PortalComment, PortalTicket, TimeEntryItem } from './list.ts';
import { isVisible } from './tickets.ts';

export const TicketDetail = FullTicket.shape.extend({
  requester_email: z.string().nullable(),
  comments: z.array(CommentItem.shape),
  assets: z.array(LinkedAsset),
  time_entries: z.array(TimeEntryItem.shape),
  contracts: z.array(LinkedContract),
  total_minutes: z.int(),
  merged_into: z.int().nullable(),
  watchers: z.array(Watcher),
  service_levels: z.array(TicketLevel),
  checklist: z.array(ChecklistItem),
  ...family,
});

export const PortalTicketDetail = PortalTicket.shape.extend({
  comments: z.array(PortalComment.shape),
  asset: LinkedAsset.nullable(),
  contracts: z.array(LinkedContract),
  merged_into: z.int().nullable(),
  ...portalFamily,
  /** Colleagues who follow the ticket. */
  watchers: z.array(PortalWatcher),
  /** Whether the person may add and remove watchers. */
  can_add_watchers: z.boolean(),
  /** False for someone who may only read the ticket and comment on it. */
  can_change: z.boolean(),
});

/** Returns a ticket as technicians see it (F-24). */
export async function readTicketDetail(ctx: Context, ticket: Ticket) {
  const time_entries = await readTimeEntries(ctx, ticket.ticket_id);
  const levelsOf = await showSlot(ctx, TicketLevels, [ticket.ticket_id]);
  const checklistOf = await showSlot(ctx, TicketChecklist, [ticket.ticket_id]);
  return {
    ...(await showOne(ctx, FullTicket, ticket)),
    requester_email: await readRequesterEmail(ctx, ticket),
    comments: await readComments(ctx, ticket.ticket_id),
    ...(await readLinks(ctx, ticket)),
    time_entries: await show(ctx, TimeEntryItem, time_entries),
    total_minutes: time_entries.reduce((sum, each) => sum + each.duration_minutes, 0),
    merged_into: await readMergedInto(ctx, ticket.ticket_id),
    watchers: await readWatchers(ctx, ticket),
    service_levels: levelsOf(ticket.ticket_id),
    checklist: checklistOf(ticket.ticket_id),
    ...(await readFamily(ctx, ticket)),
  };
}

/** Returns a ticket as customers see it, without internal comments (T-13, F-25). */
export async function readPortalDetail(ctx: Context<EmployeeActor>, ticket: Ticket) {
  const { assets, contracts } = await readLinks(ctx, ticket);
  return {
    ...(await showOne(ctx, PortalTicket, ticket)),
    comments: await readPublicComments(ctx, ticket.ticket_id),
    asset: assets[0] ?? null,
    contracts,
    merged_into: await readMergedInto(ctx, ticket.ticket_id),
    ...(await readPortalFamily(ctx, ticket)),
    watchers: await readPortalWatchers(ctx, ticket),
    can_add_watchers: maySetWatchers(ctx, ticket),
    can_change: await isVisible(ctx, ticket.ticket_id, 'changed'),
  };
}

async function readRequesterEmail(ctx: Context, { requester_employee_number }: Ticket): Promise<string | null> {
  if (requester_employee_number === null) return null;
  const requester = await ctx.db.findOneBy(Employee, { employee_number: requester_employee_number });
  return requester?.email ?? null;
}
