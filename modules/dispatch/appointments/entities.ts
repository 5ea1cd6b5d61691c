import { choice, id, int, ref, table, text, when, type Row } from '@keelson/core';
import { Employee, Technician } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';

export const appointmentKinds = ['work', 'visit', 'call', 'travel'] as const;
export const confirmations = ['none', 'asked', 'confirmed', 'declined'] as const;

/** An appointment of a technician. Customers see visits and calls. */
export const Appointment = table(
  'appointment',
  {
    appointment_id: id(),
    user_id: ref(Technician),
    /** Null for travel and other time without a ticket. */
    ticket_id: ref(Ticket).nullable(),
    kind: choice(...appointmentKinds).default('work'),
    starts_at: when(),
    ends_at: when(),
    note: text(255).default(''),
    /** The contact who is asked to confirm it. */
    employee_number: ref(Employee).nullable(),
    confirmation: choice(...confirmations).default('none'),
    /** Incremented on each move, like iCalendar's SEQUENCE. A link is valid for one value only. */
    sequence: int().default(0),
    /** How often the contact has moved it. */
    customer_moves: int().default(0),
    created_at: when(),
    updated_at: when(),
  },
  [
    ['starts_at', 'appointment_id'],
    ['user_id', 'starts_at', 'appointment_id'],
    ['ticket_id', 'starts_at', 'appointment_id'],
  ],
);
export type Appointment = Row<typeof Appointment>;
