// The page behind the link of an invitation. It works without scripts.
import type { Timestamp } from '@keelson/core';
import { html, type Zone } from '@keelson/core/kit';
import { frame } from '@keelson/modules/accounts';
import type { Ticket } from '@keelson/modules/tickets';
import { titles } from './appointments.ts';
import type { Appointment } from './entities.ts';
import { spanInWords } from './words.ts';

interface Shown {
  readonly tenant: string;
  readonly token: string;
  readonly zone: Zone;
  readonly now: Timestamp;
  readonly technician: string;
  readonly appointment: Appointment;
  readonly ticket: Pick<Ticket, 'ticket_id' | 'ticket_number' | 'subject'>;
}

const states = {
  none: 'Appointment',
  asked: 'Confirm the appointment',
  confirmed: 'Appointment confirmed',
  declined: 'Appointment declined',
} as const;

export function appointmentPage({ tenant, token, zone, now, technician, appointment, ticket }: Shown): string {
  const { kind, confirmation, ends_at } = appointment;
  const over = ends_at <= now;
  const title = over ? 'This appointment is over' : states[confirmation];
  const button = (answer: string, label: string) =>
    html`<form method="post" action="/appointment">
      <input type="hidden" name="token" value="${token}" />
      <input type="hidden" name="answer" value="${answer}" />
      <button type="submit">${label}</button>
    </form>`;
  return frame(
    `${title} – ${tenant}`,
    html`<h1>${title}</h1>
      <p><strong>${titles[kind]}</strong> by ${technician}: ${spanInWords(appointment, zone)}</p>
      <p>Ticket #${ticket.ticket_number}: <strong>${ticket.subject}</strong></p>
      ${over || confirmation === 'confirmed' ? html`` : button('confirmed', 'Confirm')}
      ${over || confirmation === 'declined' ? html`` : button('declined', 'Decline')}
      <p><a href="/helpdesk/tickets/${ticket.ticket_id}">Open the ticket to propose another time</a></p>`,
  );
}

export function deadAppointmentPage(tenant: string): string {
  return frame(
    tenant,
    html`<h1>This link is no longer valid</h1>
      <p>The appointment was moved or cancelled. A newer email has the current one.</p>`,
  );
}
