// Ticket creation in few round trips: one read for all references; the row and its dependants are stored with the
// commit (docs/architecture.md).
import type { App, Context } from '@keelson/core';
import { runHook } from '@keelson/core/plugin';
import { announceNew, eventDataWith, newRow } from '@keelson/core/record';
import { findNeedingApproval } from '../approvals/approval-need.ts';
import { markCreated } from '../comments/read-marks.ts';
import { waitingSince } from '../comments/waiting.ts';
import { Ticket, type Source } from '../entities.ts';
import { TicketAssigned, TicketCreated } from '../events.ts';
import { TicketFromTemplate, TicketsWritten } from '../hooks.ts';
import { notifyApprovers, notifyRequester, notifyTechnician } from '../notices.ts';
import { checkTeam } from '../people/teams.ts';
import { checkContacts, checkTechnicians, watchNew } from '../people/watchers.ts';
import { checkAssets, linkNew, namedAssets } from '../related/links.ts';
import { checkParent } from '../related/parents.ts';
import { cachedReferences, checkReferences, type References, type TicketReferences } from '../related/references.ts';
import { checkDates } from './dates.ts';
import type { TicketFields } from './inputs.ts';
import { resolveJobType } from './job-types.ts';
import { TicketItem } from './list.ts';
import { FIRST_NUMBER, ticketIdOf } from './numbers.ts';
import { storedTags, tagNew, tagOf } from './tags.ts';
import { Tickets, transactionOf } from './tickets.ts';

export interface NewTicket extends TicketFields {
  /** The requester's own site: the default when no site is named, dropped if no longer valid. */
  readonly usual_site_number?: number | null | undefined;
  /** Whether the requester gets no mail about it. */
  readonly source?: Source | undefined;
  /** The requester is not mailed about it. */
  readonly unconfirmed?: boolean | undefined;
  /** Skips approval because the decision was made elsewhere, such as by accepting a proposal. */
  readonly decided?: boolean | undefined;
  /** Contacts of the company who follow the ticket (T-40). */
  readonly watchers?: readonly number[] | undefined;
  /** Technicians who follow the ticket. */
  readonly technician_watchers?: readonly number[] | undefined;
  /** The template it is created from, which also provides its checklist. */
  readonly template_id?: number | undefined;
}

/**
 * Creates a ticket in the caller's transaction. A ticket by an employee may need a manager's approval (T-01); its
 * `approval_status` is then `pending`.
 * @throws invalid() naming a company, site, technician or contact that may not be set
 */
export async function createTicket(
  ctx: Context,
  {
    usual_site_number,
    decided = false,
    unconfirmed = false,
    watchers: watching = [],
    technician_watchers = [],
    template_id,
    ...input
  }: NewTicket,
): Promise<Ticket> {
  const tx = transactionOf(ctx);
  checkDates(input);
  const { name: job_type } = await resolveJobType(ctx, input.job_type ?? '');
  const asset_ids = namedAssets(input) ?? [];
  await checkAssets(ctx, input.company_number, asset_ids);
  const { refers, references } = await readNewReferences(ctx, input, usual_site_number);
  checkReferences(references, Object.keys(refers));
  const watchers = [...new Set(watching)].filter((each) => each !== refers.requester_employee_number);
  await checkContacts(ctx, input.company_number, watchers);
  const technicians = [...new Set(technician_watchers)];
  await checkTechnicians(ctx, technicians);
  await checkTeam(ctx, input.team_id);
  await checkParent(ctx, input, input.parent_id);
  const request = { ...input, ...refers, job_type };
  const pending =
    !decided && ctx.author.type === 'employee' && (await findNeedingApproval(ctx, [request])).has(request);
  const ticket_number = await ctx.app.allocator.take(tx, 'ticket', FIRST_NUMBER);
  const ticket = newRow(ctx, Tickets, {
    ...request,
    ticket_id: ticketIdOf(ticket_number),
    ticket_number,
    tags: storedTags((input.tags ?? []).map(tagOf)),
    status: 'open',
    approval_status: pending ? 'pending' : 'none',
    source: input.source ?? usualSources[ctx.author.type],
    waiting_since: waitingSince(ctx),
  });
  tx.deferInsert(Ticket, ticket);
  tagNew(ctx, ticket);
  linkNew(ctx, ticket.ticket_id, asset_ids);
  watchNew(ctx, ticket, watchers, technicians);
  if (template_id !== undefined) await runHook(ctx, TicketFromTemplate, { ticket, template_id });
  markCreated(ctx, ticket.ticket_id);
  const item = eventDataWith(TicketItem, ticket, references.names);
  ctx.emit(TicketCreated, item);
  if (ticket.assigned_to !== null) ctx.emit(TicketAssigned, item, { changed: ['assigned_to'] });
  notifyTechnician(ctx, ticket, 'assigned');
  if (!unconfirmed) notifyRequester(ctx, ticket, 'created');
  if (pending) notifyApprovers(ctx, ticket);
  await announceNew(ctx, Tickets, ticket);
  await runHook(ctx, TicketsWritten, [{ before: undefined, after: ticket, commented: undefined }]);
  return ticket;
}

/** Reserves a range of ticket numbers for a bulk load. Returns the first. */
export function reserveTicketNumbers(app: App, n: number): Promise<number> {
  return app.allocator.reserve('ticket', n, FIRST_NUMBER);
}

async function readNewReferences(
  ctx: Context,
  input: NewTicket,
  usualSite: number | null | undefined,
): Promise<{ refers: TicketReferences; references: References }> {
  const refers = {
    company_number: input.company_number,
    site_number: input.site_number ?? usualSite ?? null,
    assigned_to: input.assigned_to ?? null,
    requester_employee_number: input.employee_number ?? null,
  };
  const references = await cachedReferences(ctx, refers);
  const named = input.site_number !== undefined && input.site_number !== null;
  if (named || !references.faults.has('site_number')) return { refers, references };
  const siteless = { ...refers, site_number: null };
  return { refers: siteless, references: await cachedReferences(ctx, siteless) };
}

const usualSources = {
  technician: 'admin',
  api: 'admin',
  employee: 'portal',
  system: 'workflow',
  assistant: 'chat',
} as const;
