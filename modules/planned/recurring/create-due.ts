// Creates the tickets that are due: each exactly once on any number of processes, because the recurring ticket is locked
// and its occurrences are unique.
import {
  announceChange,
  dayOf,
  In,
  IsNull,
  LessThanOrEqual,
  MoreThan,
  plus,
  Problem,
  sendMail,
  type Context,
  type Timestamp,
} from '@keelson/core';
import { cutTo, dayIn, dayInWords, eachApart } from '@keelson/core/kit';
import { Company, Technician } from '@keelson/modules/directory';
import { readWorkingDays, type WorkingDays } from '@keelson/modules/levels';
import { commentOnTicket, createTicket } from '@keelson/modules/tickets';
import { RecurringProblemMail } from '../mail-templates.ts';
import { TicketTemplate } from '../templates/entities.ts';
import { dueAt, type Due, type PlannedDate } from './dates.ts';
import { RecurringOccurrence, RecurringTicket } from './entities.ts';

const AT_ONCE = 200;
/** One that fails is tried again after this time. */
const PUT_OFF = { minutes: 5 } as const;
const MOST_PROBLEM = 1000;

/** Creates what is due. @throws AggregateError naming those that failed, after the others */
export async function createDue(outside: Context<undefined>): Promise<void> {
  const { db, now } = outside;
  const where = { next_at: LessThanOrEqual(now), deleted_at: IsNull() };
  const order = { next_at: 'ASC', recurring_id: 'ASC' } as const;
  const due = await db.find(RecurringTicket, { where, order, take: AT_ONCE });
  await eachApart(
    due,
    ({ name }) => `recurring ticket ${name}`,
    ({ recurring_id }) =>
      outside
        .transaction((ctx) => createIfDue(ctx, recurring_id))
        .catch(async (error: unknown) => {
          await putOff(outside, recurring_id);
          throw error;
        }),
  );
}

async function putOff(outside: Context<undefined>, recurring_id: number): Promise<void> {
  const problem = 'The tickets could not be created. Trying again in five minutes.';
  await outside.transaction((ctx) =>
    ctx.db.update(RecurringTicket, { recurring_id }, { next_at: plus(ctx.now, PUT_OFF), problem }),
  );
}

async function createIfDue(ctx: Context, recurring_id: number): Promise<void> {
  const recurring = await ctx.db.findOne(RecurringTicket, {
    where: { recurring_id, deleted_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  // Another process may have been first.
  if (!recurring || recurring.next_at === null || recurring.next_at > ctx.now) return;
  const days = await readWorkingDays(ctx, recurring.calendar_id);
  const due = dueAt(recurring, days, ctx.now, recurring.last_day ?? undefined);
  const problem = due.date ? await createTickets(ctx, recurring, due, due.date, days) : recurring.problem;
  const set = { last_day: due.date?.day ?? recurring.last_day, next_at: due.next?.at ?? null, problem };
  await ctx.db.update(RecurringTicket, { recurring_id }, set);
  announceChange(ctx, { of: RecurringTicket, row: { ...recurring, ...set }, kind: 'changed', internal: true });
  if (problem !== '' && problem !== recurring.problem) await tellAdministrators(ctx, recurring, problem);
}

/** Creates a ticket for each company that can have one. Returns what went wrong, in words. */
async function createTickets(
  ctx: Context,
  recurring: RecurringTicket,
  due: Due,
  date: PlannedDate,
  { zone }: WorkingDays,
): Promise<string> {
  const { template_id, recurring_id, company_numbers } = recurring;
  const template = await ctx.db.findOneBy(TicketTemplate, { template_id, deleted_at: IsNull() });
  if (!template) return 'The template has been deleted.';
  const assigned_to = await activeAssignee(ctx, template);
  const { subject, description, job_type, priority, due_in_days } = template;
  const due_date = due_in_days === null ? null : dayAfter(dayIn(zone, date.at), due_in_days);
  const fields = { subject, description, job_type, priority, assigned_to, due_date, template_id };
  const problems: string[] = [];
  if (assigned_to !== template.assigned_to)
    problems.push('The assignee of the template is no longer active: tickets are created unassigned.');
  const companies = await ctx.db.findBy(Company, { company_number: In(company_numbers), deleted_at: IsNull() });
  for (const company_number of company_numbers) {
    const company = companies.find((each) => each.company_number === company_number);
    if (company?.status !== 'active') {
      problems.push(company ? `${company.customer} is inactive.` : `Company ${company_number} has been deleted.`);
      continue;
    }
    try {
      const { ticket_id, ...ticket } = await createTicket(ctx, { ...fields, company_number, source: 'schedule' });
      const { day } = date;
      const row = { recurring_id, day, company_number, ticket_id, missed: due.missed, created_at: ctx.now };
      await ctx.db.insert(RecurringOccurrence, [row]);
      if (due.missed > 0)
        await commentOnTicket(
          ctx,
          { ticket_id, ...ticket },
          { comment: missedNote(recurring, due), is_internal: true },
        );
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problems.push(`${company.customer}: ${error.message}.`);
    }
  }
  return cutTo(problems.join(' '), MOST_PROBLEM);
}

async function activeAssignee({ db }: Context, { assigned_to }: TicketTemplate): Promise<number | null> {
  if (assigned_to === null) return null;
  const active = { user_id: assigned_to, active: true, deleted_at: IsNull() };
  return (await db.existsBy(Technician, active)) ? assigned_to : null;
}

const dayAfter = (day: string, days: number): string => dayOf(plus(`${day}T00:00:00.000Z`, { days }));

function missedNote({ name }: RecurringTicket, { missed, date }: Due): string {
  const dates = missed === 1 ? 'One earlier date' : `${missed} earlier dates`;
  return `${dates} of the recurring ticket ${name} passed while it was not running. This ticket is for ${dayInWords(date?.day ?? '')}.`;
}

async function tellAdministrators(ctx: Context, { name, recurring_id }: RecurringTicket, problem: string) {
  const administrators = { role: 'administrator', active: true, deleted_at: IsNull() } as const;
  for (const { name: to, email } of await ctx.db.findBy(Technician, administrators))
    sendMail(ctx, RecurringProblemMail, {
      to: { name: to, address: email },
      data: { name, problem, recurring_id },
    });
}

/** Plans recurring tickets anew, because their calendars or the installation's time zone may have changed. */
export async function planAnew(outside: Context<undefined>): Promise<void> {
  const { db } = outside;
  let after = 0;
  for (;;) {
    const where = { recurring_id: MoreThan(after), active: true, deleted_at: IsNull() };
    const order = { recurring_id: 'ASC' } as const;
    const some = await db.find(RecurringTicket, { where, order, take: AT_ONCE });
    for (const { recurring_id } of some) await outside.transaction((ctx) => planOne(ctx, recurring_id));
    if (some.length < AT_ONCE) return;
    after = some.at(-1)?.recurring_id ?? 0;
  }
}

async function planOne(ctx: Context, recurring_id: number): Promise<void> {
  const found = await ctx.db.findOne(RecurringTicket, {
    where: { recurring_id, active: true, deleted_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  // What is due is created by the other job.
  if (!found || (found.next_at !== null && found.next_at <= ctx.now)) return;
  const days = await readWorkingDays(ctx, found.calendar_id);
  const { next } = dueAt(found, days, ctx.now, found.last_day ?? undefined);
  const next_at: Timestamp | null = next?.at ?? null;
  if (next_at !== found.next_at) await ctx.db.update(RecurringTicket, { recurring_id }, { next_at });
}
