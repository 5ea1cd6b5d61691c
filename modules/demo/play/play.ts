// Creates the tickets of a story, each step by its author and at its time in the past.
import { dayOf, plus, type App, type Context, type EmployeeActor, type Row, type Timestamp } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import { employeeName } from '@keelson/core/surfaces';
import { contextOf } from '@keelson/core/system';
import {
  approveTicket,
  commentOnTicket,
  createTicket,
  lockTicket,
  logTime,
  rejectTicket,
  updateTicket,
  type Ticket,
} from '@keelson/modules/tickets';
import type { Customer, Staff } from '../people.ts';
import type { TicketStory, Who, Worker } from '../stories/story.ts';

interface Cast {
  readonly staff: Staff;
  readonly customer: Customer;
}

type TicketRow = Row<typeof Ticket>;

/** Creates the tickets with their history. */
export async function playStory(
  app: App,
  { tickets, ...cast }: Cast & { readonly tickets: readonly TicketStory[] },
): Promise<void> {
  for (const story of tickets.toSorted((a, b) => b.hours_ago - a.hours_ago)) await play(app, cast, story);
}

async function play(app: App, cast: Cast, story: TicketStory): Promise<void> {
  const { worker, decision, comments = [], time = [] } = story;
  const nextTime = stepTimes(app, story);
  const created = await as(app, cast, story.by, nextTime()).transaction((ctx) => createStoryTicket(ctx, cast, story));
  const step = (who: Who, work: (ctx: Context, ticket: TicketRow) => Promise<unknown>) =>
    as(app, cast, who, nextTime()).transaction(async (ctx) => work(ctx, await lockTicket(ctx, created.ticket_id)));

  if (decision) await decide(as(app, cast, 'manager', nextTime()), created, decision);
  if (worker) {
    const assigned_to = cast.staff[worker].user_id;
    const status = story.status === 'open' ? 'open' : 'in_progress';
    await step(worker, (ctx, ticket) => updateTicket(ctx, ticket, { assigned_to, status }));
  }
  for (const { by, text, internal = false } of comments) {
    await step(by, (ctx, ticket) => commentOnTicket(ctx, ticket, { comment: text, is_internal: internal }));
  }
  for (const { minutes, what, billable = true } of time) {
    const entry = { duration_minutes: minutes, description: what, billable };
    await step(worker ?? 'technician', (ctx, ticket) => logTime(ctx, ticket, entry));
  }
  if (worker) await step(worker, (ctx, ticket) => updateTicket(ctx, ticket, { status: story.status }));
}

/** Returns the times of the steps, starting at the ticket's creation, all in the past. */
function stepTimes(app: App, { hours_ago, comments = [], time = [] }: TicketStory): () => Timestamp {
  const hours = Math.min(hours_ago / (4 + comments.length + time.length), 5.3);
  let at = plus(app.clock.now(), { hours: -hours_ago - hours });
  return () => (at = plus(at, { hours }));
}

/** Returns a context with this author and actor at this time. */
function as(app: App, cast: Cast, who: Who, now: Timestamp): Context<EmployeeActor | undefined> {
  const author = authorOf(cast, who);
  return contextOf({ app, author, actor: isWorker(who) ? undefined : actorOf(cast.customer, who), now });
}

function authorOf({ staff, customer }: Cast, who: Who): Author {
  if (isWorker(who)) return { type: 'technician', id: staff[who].user_id, name: staff[who].name };
  const employee = customer[who];
  return { type: 'employee', id: employee.employee_number, name: employeeName(employee) };
}

function isWorker(who: Who): who is Worker {
  return who === 'administrator' || who === 'technician';
}

/** Returns the actor of a signed-in employee. */
export function actorOf(customer: Customer, who: Exclude<Who, Worker>): EmployeeActor {
  return { ...customer[who], company_name: customer.company.customer, session_id: 0, via: 'token' };
}

function createStoryTicket(ctx: Context, { customer, staff }: Cast, story: TicketStory): Promise<TicketRow> {
  const { subject, description, priority, job_type, by, due_in_days, tags = [], watchers = [] } = story;
  const contacts = watchers.flatMap((who) => (isWorker(who) ? [] : customer[who].employee_number));
  return createTicket(ctx, {
    subject,
    description,
    priority,
    job_type,
    company_number: customer.company.company_number,
    site_number: customer.sites[story.site ?? 0],
    employee_number: isWorker(by) ? null : customer[by].employee_number,
    due_date: due_in_days === undefined ? null : dayOf(plus(ctx.app.clock.now(), { days: due_in_days })),
    tags: [...tags],
    watchers: contacts,
    technician_watchers: watchers.filter(isWorker).map((who) => staff[who].user_id),
  });
}

async function decide(
  manager: Context<EmployeeActor | undefined>,
  { ticket_id }: TicketRow,
  { approved, reason = 'Not at the moment.' }: NonNullable<TicketStory['decision']>,
): Promise<void> {
  await manager.transaction(async (ctx) => {
    const ticket = await lockTicket(ctx, ticket_id);
    if (!isEmployees(ctx)) throw new Error('Only a customer’s manager can approve requests');
    return approved ? approveTicket(ctx, ticket) : rejectTicket(ctx, ticket, reason);
  });
}

function isEmployees(ctx: Context<EmployeeActor | undefined>): ctx is Context<EmployeeActor> {
  return ctx.actor !== undefined;
}
