// Recurring tickets and their next dates.
import {
  by,
  change,
  create,
  In,
  invalid,
  IsNull,
  normalised,
  noun,
  param,
  record,
  view,
  z,
  type Context,
  type Day,
  type Given,
  type Timestamp,
  type Wanted,
} from '@keelson/core';
import { matching } from '@keelson/core/list';
import { callerWording } from '@keelson/core/plugin';
import {
  Company,
  CompanyNames,
  Employee,
  EmployeeNames,
  Technician,
  TechnicianNames,
} from '@keelson/modules/directory';
import { CalendarNames, LevelCalendar, readWorkingDays, type WorkingDays } from '@keelson/modules/levels';
import { RecurringNames, TemplateNames } from '../names.ts';
import { TicketTemplate } from '../templates/entities.ts';
import { datesOf, dueAt, lookAfter, type Due, type PlanAhead } from './dates.ts';
import { RecurringOccurrence, RecurringTicket, type ClosedDays } from './entities.ts';
import { hasDates } from './fields.ts';
import { ruleInWords, schedulesInWords } from './words.ts';

export const RecurringTickets = record(RecurringTicket, {
  title: 'Recurring ticket',
  call: ({ name }) => name,
  filters: (its) => ({
    active: its.is('active'),
    template_id: its.is('template_id'),
    search: its.by(param.search(), (_ctx, text) => matching(text, ['recurring_ticket.name'])),
  }),
  sorts: { name: by('name'), next_at: by('next_at') },
  order: 'asc',
  names: RecurringNames,
  taken: ({ name }) => `name ${name} already exists`,
  derive: ({ name }) => ({ name_key: normalised(name) }),
  log: { omit: ['last_day', 'waiting', 'next_at', 'problem'] },
  prepare: check,
});

export const RecurringItem = view(RecurringTickets, {
  more: (its) => ({
    template_name: its.name(TemplateNames, 'template_id'),
    calendar_name: its.name(CalendarNames, 'calendar_id'),
    visit_technician_name: its.name(TechnicianNames, 'visit_user_id'),
    visit_contact_name: its.name(EmployeeNames, 'visit_employee_number'),
    /** The rule in words. */
    schedule: its.lookup(z.string(), 'recurring_id', schedulesInWords, ''),
  }),
});

export const OccurrenceItem = view(
  noun(RecurringOccurrence, {
    title: 'Occurrence',
    filters: (its) => ({ recurring_id: its.is('recurring_id') }),
    sorts: { created_at: by('created_at') },
  }),
  { more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }) },
);

const usualDaysAhead = 14;

type Planned = 'next_at' | 'last_day' | 'waiting' | 'problem';

/**
 * Adds a recurring ticket. Past dates get no tickets.
 * @throws invalid() if a template, company or calendar does not exist, or if the rule has no dates
 */
export async function createRecurring(
  ctx: Context,
  given: Omit<Given<typeof RecurringTickets>, Planned>,
): Promise<RecurringTicket> {
  const { on_closed_days = 'create', active = true, calendar_id = null } = given;
  const { visit_user_id = null, visit_days_ahead = usualDaysAhead } = given;
  const visits = { visit_user_id, visit_days_ahead };
  const whole = { ...given, ...visits, on_closed_days, active, calendar_id, last_day: null, next_at: null };
  return create(ctx, RecurringTickets, { ...whole, ...(await planOf(ctx, whole)) });
}

/** The fields that decide on the next date. */
const schedule = [
  'starts_on',
  'time',
  'rrule',
  'calendar_id',
  'on_closed_days',
  'visit_user_id',
  'visit_days_ahead',
  'active',
] as const;

/**
 * Changes a recurring ticket and recomputes its next date if its schedule changes. Dates already handled are not created
 * again. A date that is due keeps its tickets, unless the recurring ticket is paused.
 */
export async function changeRecurring(
  ctx: Context,
  recurring: RecurringTicket,
  wanted: Omit<Wanted<typeof RecurringTickets>, Planned>,
): Promise<RecurringTicket> {
  const defined = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  const after = { ...recurring, ...defined };
  const isReplanned = schedule.some((field) => after[field] !== recurring[field]);
  if (!isReplanned) return change(ctx, RecurringTickets, recurring, wanted);
  const waiting = after.active ? await waitingIn(ctx, recurring) : null;
  const plan = await planOf(ctx, { ...after, waiting });
  return change(ctx, RecurringTickets, recurring, { ...wanted, ...plan, waiting });
}

/** Returns the date whose tickets are due but not created yet. */
async function waitingIn(ctx: Context, recurring: RecurringTicket): Promise<RecurringTicket['waiting']> {
  const { waiting, next_at, calendar_id, last_day } = recurring;
  if (waiting || next_at === null || next_at > ctx.now) return waiting;
  const days = await readWorkingDays(ctx, calendar_id);
  return waitingAt(dueAt(recurring, days, ctx.now, last_day ?? undefined), ctx.now);
}

/** Returns what is due as a date that waits; null if it is still to come. */
export function waitingAt({ date }: Due, now: Timestamp): RecurringTicket['waiting'] {
  return date && date.at <= now ? { day: date.day, at: date.at } : null;
}

type Planning = PlanAhead & Pick<RecurringTicket, 'active' | 'calendar_id' | 'last_day' | 'next_at'>;

/** Returns the next date from now on; none while inactive. @throws invalid() if the rule has no dates */
async function planOf(ctx: Context, of: Planning): Promise<Pick<RecurringTicket, 'last_day' | 'next_at'>> {
  if (!hasDates(of.rrule, of.starts_on)) throw invalid('rrule must have at least one date');
  return nextOf(of, await readWorkingDays(ctx, of.calendar_id), ctx.now);
}

/** Returns the last date handled and when the next tickets are created. Tickets due before now are not. */
export function nextOf(of: Planning, days: WorkingDays, now: Timestamp): Pick<RecurringTicket, 'last_day' | 'next_at'> {
  const { date, handled, next } = dueAt(of, days, now, of.last_day ?? undefined);
  // The tickets of a date to come are created by the next run of the job.
  const isToCome = date !== undefined && date.at > now;
  const coming = (isToCome ? date : next)?.created_at ?? null;
  return {
    last_day: later((isToCome ? lastBefore(of, days, now) : handled?.day) ?? null, of.last_day),
    next_at: of.active ? (of.waiting ? earlier(of.next_at, coming) : coming) : null,
  };
}

/** Returns the later of two days. */
export const later = (one: Day | null, other: Day | null): Day | null =>
  one === null || (other !== null && other > one) ? other : one;

const earlier = (one: Timestamp | null, other: Timestamp | null): Timestamp | null =>
  one === null || (other !== null && other < one) ? other : one;

/** Returns the last date that has passed, after those handled. */
function lastBefore(of: Planning, days: WorkingDays, now: Timestamp): Day | undefined {
  let last: Day | undefined;
  for (const { day, at } of datesOf(of, days, lookAfter(now, of.last_day ?? undefined))) {
    if (at > now) break;
    last = day;
  }
  return last;
}

async function check({ db }: Context, after: RecurringTicket, before: RecurringTicket | undefined): Promise<void> {
  const { template_id, calendar_id, company_numbers } = after;
  if (template_id !== before?.template_id)
    if (!(await db.existsBy(TicketTemplate, { template_id, deleted_at: IsNull() })))
      throw invalid('template_id must be an existing ticket template');
  if (calendar_id !== null && calendar_id !== before?.calendar_id)
    if (!(await db.existsBy(LevelCalendar, { calendar_id, deleted_at: IsNull() })))
      throw invalid('calendar_id must be an existing calendar');
  await checkVisits(db, after, before);
  if (company_numbers.join() === before?.company_numbers.join()) return;
  const companies = { company_number: In(company_numbers), status: 'active', deleted_at: IsNull() } as const;
  if ((await db.countBy(Company, companies)) < company_numbers.length)
    throw invalid('company_numbers must be active companies');
}

async function checkVisits(db: Context['db'], after: RecurringTicket, before: RecurringTicket | undefined) {
  const { visit_user_id: user_id, visit_employee_number: employee_number, company_numbers } = after;
  const living = { active: true, deleted_at: IsNull() };
  if (user_id !== null && user_id !== before?.visit_user_id && !(await db.existsBy(Technician, { user_id, ...living })))
    throw invalid('visit_user_id must be an active technician');
  if (employee_number === null) return;
  if (user_id === null) throw invalid('visit_employee_number requires visit_user_id');
  const [company_number = 0, ...others] = company_numbers;
  if (others.length > 0) throw invalid('visit_employee_number requires a single company');
  const [company_before] = before?.company_numbers ?? [];
  if (employee_number === before?.visit_employee_number && company_number === company_before) return;
  const contact = { employee_number, company_number, status: 'Active', deleted_at: IsNull() } as const;
  if (!(await db.existsBy(Employee, contact)))
    throw invalid('visit_employee_number must be an active contact of the company');
}

/** Number of dates previewed before saving. */
const PREVIEWED = 5;

export const Preview = z.object({
  schedule: z.string(),
  time_zone: z.string(),
  dates: z.array(
    z.object({
      at: z.iso.datetime(),
      /** The date according to the rule. */
      day: z.iso.date(),
      moved: z.boolean(),
    }),
  ),
});

interface PreviewOf {
  readonly starts_on: string;
  readonly time: string;
  readonly rrule: string;
  readonly calendar_id?: number | undefined;
  readonly on_closed_days?: ClosedDays | undefined;
}

/** Returns the next dates of a rule. @throws invalid() if it has none */
export async function previewDates(
  ctx: Context,
  { calendar_id, on_closed_days = 'create', ...of }: PreviewOf,
): Promise<z.infer<typeof Preview>> {
  if (!hasDates(of.rrule, of.starts_on)) throw invalid('rrule must have at least one date');
  const days = await readWorkingDays(ctx, calendar_id ?? null);
  const dates: z.infer<typeof Preview>['dates'] = [];
  for (const { day, at } of datesOf({ ...of, on_closed_days }, days, lookAfter(ctx.now))) {
    if (at <= ctx.now || at === dates.at(-1)?.at) continue;
    if (dates.length === PREVIEWED) break;
    dates.push({ at, day, moved: on_closed_days === 'move' && !days.isOpen(day) });
  }
  return { schedule: ruleInWords(of.rrule, await callerWording(ctx)), time_zone: days.zone.name, dates };
}
