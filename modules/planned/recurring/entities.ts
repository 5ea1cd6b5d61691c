import { choice, day, flag, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { LevelCalendar } from '@keelson/modules/levels';
import { Ticket } from '@keelson/modules/tickets';
import { TicketTemplate } from '../templates/entities.ts';

/** What happens to a date on which the calendar is closed. */
export const closedDays = ['create', 'skip', 'move'] as const;
export type ClosedDays = (typeof closedDays)[number];

/** Tickets that are created from a template again and again. */
export const RecurringTicket = table(
  'recurring_ticket',
  {
    recurring_id: id(),
    name: text(255),
    name_key: key().nullable().unique().hidden(),
    template_id: ref(TicketTemplate),
    /** The companies that get a ticket on each date. */
    company_numbers: json(z.array(z.int())),
    active: flag().default(true),
    /** The first possible date. */
    starts_on: day(),
    /** Local time of each date: `09:00`. */
    time: text(5),
    /** An iCalendar rule: `FREQ=WEEKLY;BYDAY=MO`. */
    rrule: text(255),
    /** Null for the default calendar. */
    calendar_id: ref(LevelCalendar).nullable(),
    on_closed_days: choice(...closedDays).default('create'),
    /** The last date by the rule that was dealt with. */
    last_day: day().nullable().hidden(),
    /** When the next tickets are created; null when there are no more, or it is inactive. */
    next_at: when().nullable(),
    /** Why the last tickets were not created, or not as the template says; empty if they were. */
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

/** A ticket that was created for a date. The unique key makes it the only one. */
export const RecurringOccurrence = table(
  'recurring_ticket_occurrence',
  {
    occurrence_id: id(),
    recurring_id: ref(RecurringTicket),
    /** The date by the rule, also if it was moved. */
    day: day(),
    company_number: ref(Company),
    ticket_id: ref(Ticket),
    /** Earlier dates that were missed and have no ticket. */
    missed: int().default(0),
    created_at: when(),
  },
  [['recurring_id', 'created_at', 'occurrence_id']],
  { unique: [['recurring_id', 'day', 'company_number']] },
);
export type RecurringOccurrence = Row<typeof RecurringOccurrence>;
