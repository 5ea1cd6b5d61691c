import { choice, day, flag, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Company, Employee, Technician } from '@keelson/modules/directory';
import { LevelCalendar } from '@keelson/modules/levels';
import { Ticket } from '@keelson/modules/tickets';
import { TicketTemplate } from '../templates/entities.ts';

/** What happens to a date on which the calendar is closed. */
export const closedDays = ['create', 'skip', 'move'] as const;
export type ClosedDays = (typeof closedDays)[number];

/** A date by the rule, and when it takes place. */
const WaitingDate = z.object({ day: z.iso.date(), at: z.iso.datetime() });

/** A recurring ticket, created from a template on a schedule. */
export const RecurringTicket = table(
  'recurring_ticket',
  {
    recurring_id: id(),
    name: text(255),
    name_key: key().nullable().unique().hidden(),
    template_id: ref(TicketTemplate),
    /** The companies that each get a ticket per date. */
    company_numbers: json(z.array(z.int())),
    active: flag().default(true),
    /** The first possible date. */
    starts_on: day(),
    /** Local time of each date: `09:00`. */
    time: text(5),
    /** An iCalendar recurrence rule: `FREQ=WEEKLY;BYDAY=MO`. */
    rrule: text(255),
    /** Null for the default calendar. */
    calendar_id: ref(LevelCalendar).nullable(),
    on_closed_days: choice(...closedDays).default('create'),
    /** The technician who visits the customer on each date; null for no visits. */
    visit_user_id: ref(Technician).nullable(),
    visit_minutes: int().default(60),
    /** How many days before each date its ticket is created and its visit planned. */
    visit_days_ahead: int().default(14),
    /** The contact to invite, of the only company. */
    visit_employee_number: ref(Employee).nullable(),
    /** The last date, by the rule, that was handled. */
    last_day: day().nullable().hidden(),
    /** A date that has passed and whose tickets could not be created yet, even if the schedule no longer has it. */
    waiting: json(WaitingDate).nullable().hidden(),
    /** When the next tickets are created; null if inactive or if there are no more dates. */
    next_at: when().nullable(),
    /** Why the last tickets were not created, or deviate from the template; empty on success. */
    problem: text(1000).default(''),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['name', 'recurring_id', 'deleted_at'],
    ['next_at', 'recurring_id', 'deleted_at'],
    ['template_id', 'recurring_id'],
    ['calendar_id', 'recurring_id'],
  ],
);
export type RecurringTicket = Row<typeof RecurringTicket>;

/** A ticket created for a date. The unique key prevents duplicates. */
export const RecurringOccurrence = table(
  'recurring_ticket_occurrence',
  {
    occurrence_id: id(),
    recurring_id: ref(RecurringTicket),
    /** The date by the rule, even if the creation was moved. */
    day: day(),
    company_number: ref(Company),
    ticket_id: ref(Ticket),
    /** Number of earlier dates that were missed and have no ticket. */
    missed: int().default(0),
    created_at: when(),
  },
  [['recurring_id', 'created_at', 'occurrence_id']],
  { unique: [['recurring_id', 'day', 'company_number']] },
);
export type RecurringOccurrence = Row<typeof RecurringOccurrence>;
