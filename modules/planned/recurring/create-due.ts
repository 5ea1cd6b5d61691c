// Creates recurring tickets that are due, exactly once with any number of processes, because the recurring ticket is
// locked and its occurrences are unique.
import {
  announceChange,
  In,
  IsNull,
  LessThanOrEqual,
  MoreThan,
  plus,
  Problem,
  sendMail,
  addDays,
  sql,
  type Context,
  type Day,
  type Timestamp,
} from '@keelson/core';
import { cutTo, dayIn, dayInWords, eachApart, explained } from '@keelson/core/kit';
import { Company, Employee, Technician } from '@keelson/modules/directory';
import { planAppointment } from '@keelson/modules/dispatch';
import { readWorkingDays, type WorkingDays } from '@keelson/modules/levels';
import { commentOnTicket, createTicket } from '@keelson/modules/tickets';
import { RecurringProblemMail } from '../mail-templates.ts';
import { TicketTemplate } from '../templates/entities.ts';
import { dueAt, type Due, type PlannedDate } from './dates.ts';
import { RecurringOccurrence, RecurringTicket } from './entities.ts';
import { later, nextOf, waitingAt } from './recurring.ts';

const AT_ONCE = 200;
/** Delay before a failed recurring ticket is retried. */
const PUT_OFF = { minutes: 5 } as const;
const MOST_PROBLEM = 1000;

/**
 * Creates the tickets that are due, each in its own transaction.
 * @throws AggregateError naming the recurring tickets and companies that failed, once the others are done
 */
export async function createDue(outside: Context<undefined>): Promise<void> {
  const { db, now } = outside;
  const where = { next_at: LessThanOrEqual(now), deleted_at: IsNull() };
  const order = { next_at: 'ASC', recurring_id: 'ASC' } as const;
  const due = await db.find(RecurringTicket, { where, order, take: AT_ONCE });
  await eachApart(due, nameOf, (each) => createOrPutOff(outside, each));
}

const nameOf = ({ name }: RecurringTicket): string => `recurring ticket ${name}`;

async function createOrPutOff(outside: Context<undefined>, recurring: RecurringTicket): Promise<void> {
  let { waiting } = recurring;
  try {
    const days = await readWorkingDays(outside, recurring.calendar_id);
    const due = dueAt(recurring, days, outside.now, recurring.last_day ?? undefined);
    waiting = waitingAt(due, outside.now);
    await createAll(outside, recurring, { days, due });
  } catch (error) {
    await putOff(outside, recurring, waiting);
    throw error;
  }
}

async function putOff(
  outside: Context<undefined>,
  recurring: RecurringTicket,
  waiting: RecurringTicket['waiting'],
): Promise<void> {
  const { recurring_id } = recurring;
  const problem = 'The tickets could not be created. Trying again in five minutes.';
  await outside.transaction(async (ctx) => {
    if (!(await lockIfDue(ctx, recurring))) return;
    await ctx.db.update(RecurringTicket, { recurring_id }, { next_at: plus(ctx.now, PUT_OFF), waiting, problem });
  });
}

async function createAll(
  outside: Context<undefined>,
  recurring: RecurringTicket,
  { days, due }: { readonly days: WorkingDays; readonly due: Due },
): Promise<void> {
  const problem = due.date ? await createTickets(outside, recurring, days) : recurring.problem;
  await outside.transaction(async (ctx) => {
    if (!(await lockIfDue(ctx, recurring))) return;
    const next_at = due.next?.created_at ?? null;
    const last_day = later(due.handled?.day ?? null, recurring.last_day);
    const set = { last_day, waiting: null, next_at, problem };
    await ctx.db.update(RecurringTicket, { recurring_id: recurring.recurring_id }, set);
    announceChange(ctx, { of: RecurringTicket, row: { ...recurring, ...set }, kind: 'changed', internal: true });
    if (problem !== '' && problem !== recurring.problem) await tellAdministrators(ctx, recurring, problem);
  });
}

/** Locks a recurring ticket. Returns false if another process has handled its date, or someone has changed it. */
async function lockIfDue(ctx: Context, { recurring_id, next_at, updated_at }: RecurringTicket): Promise<boolean> {
  const found = await ctx.db.findOne(RecurringTicket, {
    where: { recurring_id, deleted_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  return found?.next_at === next_at && found.updated_at === updated_at;
}

/** Creates a ticket for each eligible company. Returns what went wrong, as text. */
async function createTickets(
  outside: Context<undefined>,
  recurring: RecurringTicket,
  days: WorkingDays,
): Promise<string> {
  const { template_id, company_numbers } = recurring;
  const { db } = outside;
  const template = await db.findOneBy(TicketTemplate, { template_id, deleted_at: IsNull() });
  if (!template) return explained('The template has been deleted.');
  const assigned_to = await activeAssignee(outside, template);
  const visit = await readVisit(outside, recurring);
  const problems: string[] = [...visit.problems];
  if (assigned_to !== template.assigned_to)
    problems.push(explained('The assignee of the template is no longer active: tickets are created unassigned.'));
  const companies = await db.findBy(Company, { company_number: In(company_numbers), deleted_at: IsNull() });
  const last = await lastDays(outside, recurring);
  await eachApart(
    company_numbers,
    (company_number) => `company ${company_number}`,
    async (company_number) => {
      const company = companies.find((each) => each.company_number === company_number);
      if (company?.status !== 'active')
        return void problems.push(
          company
            ? explained(`${company.customer} is inactive.`)
            : explained(`Company ${company_number} has been deleted.`),
        );
      // The company may have its ticket already, if those of others failed.
      const own = last.get(company_number) ?? null;
      const waiting = recurring.waiting && own !== null && own >= recurring.waiting.day ? null : recurring.waiting;
      const after = later(own, recurring.last_day) ?? undefined;
      const due = dueAt({ ...recurring, waiting }, days, outside.now, after);
      if (!due.date) return;
      const given = {
        ...{ template: { ...template, assigned_to }, visit, company_number },
        ...{ due, date: due.date, zone: days.zone },
      };
      try {
        await outside.transaction((ctx) => createOne(ctx, recurring, given));
      } catch (error) {
        if (!(error instanceof Problem) || error.kind === 'unavailable') throw error;
        problems.push(`${company.customer}: ${error.message}.`);
      }
    },
  );
  return cutTo(problems.join(' '), MOST_PROBLEM);
}

/** Returns the day of each company's last ticket. */
async function lastDays(ctx: Context, { recurring_id }: RecurringTicket): Promise<ReadonlyMap<number, Day>> {
  const rows = await ctx.db.query<{ company_number: number; day: Day }>(sql`SELECT company_number, MAX(day) AS day
    FROM recurring_ticket_occurrence WHERE recurring_id = ${recurring_id} GROUP BY company_number`);
  return new Map(rows.map(({ company_number, day }) => [Number(company_number), day]));
}

interface ToCreate {
  readonly template: TicketTemplate;
  readonly visit: Visit;
  readonly company_number: number;
  readonly due: Due;
  readonly date: PlannedDate;
  readonly zone: WorkingDays['zone'];
}

async function createOne(
  ctx: Context,
  recurring: RecurringTicket,
  { template, visit, company_number, due, date, zone }: ToCreate,
): Promise<void> {
  const { recurring_id } = recurring;
  const { day } = date;
  if (!(await lockIfDue(ctx, recurring))) return;
  if (await ctx.db.existsBy(RecurringOccurrence, { recurring_id, day, company_number })) return;
  const { subject, description, job_type, priority, due_in_days, template_id, assigned_to } = template;
  const due_date = due_in_days === null ? null : addDays(dayIn(zone, date.at), due_in_days);
  const fields = { subject, description, job_type, priority, assigned_to, due_date, template_id, ...visit.fields };
  const ticket = await createTicket(ctx, { ...fields, company_number, source: 'schedule' });
  const { ticket_id } = ticket;
  const row = { recurring_id, day, company_number, ticket_id, missed: due.missed, created_at: ctx.now };
  await ctx.db.insert(RecurringOccurrence, [row]);
  if (visit.user_id !== null)
    await planVisit(ctx, recurring, { ticket_id, user_id: visit.user_id, at: date.at, ...visit.fields });
  if (due.missed > 0) await commentOnTicket(ctx, ticket, { comment: missedNote(recurring, due), is_internal: true });
}

interface Visit {
  /** The technician; null for no visit. */
  readonly user_id: number | null;
  /** The contact to invite, who requests the ticket and gets no other email about it. */
  readonly fields: { readonly employee_number?: number; readonly unconfirmed?: true };
  readonly problems: readonly string[];
}

async function readVisit({ db }: Context, recurring: RecurringTicket): Promise<Visit> {
  const { visit_user_id: user_id, visit_employee_number: employee_number } = recurring;
  if (user_id === null) return { user_id: null, fields: {}, problems: [] };
  if (!(await db.existsBy(Technician, { user_id, active: true, deleted_at: IsNull() })))
    return {
      user_id: null,
      fields: {},
      problems: [explained('The technician is no longer active: no visits are planned.')],
    };
  if (employee_number === null) return { user_id, fields: {}, problems: [] };
  const [company_number = 0] = recurring.company_numbers;
  const contact = { employee_number, company_number, status: 'Active', deleted_at: IsNull() } as const;
  if (await db.existsBy(Employee, contact))
    return { user_id, fields: { employee_number, unconfirmed: true }, problems: [] };
  return {
    user_id,
    fields: {},
    problems: [explained('The contact is no longer active: visits are planned without an invitation.')],
  };
}

async function planVisit(
  ctx: Context,
  { visit_minutes }: RecurringTicket,
  of: { ticket_id: number; user_id: number; at: Timestamp; employee_number?: number },
): Promise<void> {
  const { at: starts_at, ticket_id, user_id, employee_number = null } = of;
  const ends_at = plus(starts_at, { minutes: visit_minutes });
  await planAppointment(ctx, { kind: 'visit', ticket_id, user_id, starts_at, ends_at, employee_number });
}

async function activeAssignee({ db }: Context, { assigned_to }: TicketTemplate): Promise<number | null> {
  if (assigned_to === null) return null;
  const active = { user_id: assigned_to, active: true, deleted_at: IsNull() };
  return (await db.existsBy(Technician, active)) ? assigned_to : null;
}

function missedNote({ name }: RecurringTicket, { missed, date }: Due): string {
  const dates = missed === 1 ? 'One earlier date' : `${missed} earlier dates`;
  return `${dates} of the recurring ticket ${name} passed while it was not running. This ticket is for ${dayInWords(date?.day ?? '')}.`;
}

async function tellAdministrators(ctx: Context, { name, recurring_id }: RecurringTicket, problem: string) {
  const administrators = { role: 'administrator', active: true, deleted_at: IsNull() } as const;
  for (const { name: to, email } of await ctx.db.findBy(Technician, administrators))
    sendMail(ctx, RecurringProblemMail, {
      to: { name: to, address: email },
      data: { name, problem: { explained: problem }, recurring_id },
    });
}

/**
 * Replans recurring tickets, because their calendars or the installation's time zone may have changed.
 * @throws AggregateError naming those that failed, once the others are done
 */
export async function planAnew(outside: Context<undefined>): Promise<void> {
  await eachApart(readActive(outside), nameOf, ({ recurring_id }) =>
    outside.transaction((ctx) => planOne(ctx, recurring_id)),
  );
}

async function* readActive({ db }: Context): AsyncGenerator<RecurringTicket> {
  for (let after = 0; ;) {
    const where = { recurring_id: MoreThan(after), active: true, deleted_at: IsNull() };
    const order = { recurring_id: 'ASC' } as const;
    const some = await db.find(RecurringTicket, { where, order, take: AT_ONCE });
    yield* some;
    if (some.length < AT_ONCE) return;
    after = some.at(-1)?.recurring_id ?? after;
  }
}

async function planOne(ctx: Context, recurring_id: number): Promise<void> {
  const found = await ctx.db.findOne(RecurringTicket, {
    where: { recurring_id, active: true, deleted_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  // The other job creates tickets that are due.
  if (!found || (found.next_at !== null && found.next_at <= ctx.now)) return;
  const days = await readWorkingDays(ctx, found.calendar_id);
  const { next_at } = nextOf(found, days, ctx.now);
  const { date } = dueAt(found, days, ctx.now, found.last_day ?? undefined);
  const isLate = date !== undefined && date.at <= ctx.now;
  // Tickets that could not be created are tried again before the next date.
  if (isLate && found.next_at !== null && (next_at === null || found.next_at < next_at)) return;
  if (next_at !== found.next_at) await ctx.db.update(RecurringTicket, { recurring_id }, { next_at });
}
