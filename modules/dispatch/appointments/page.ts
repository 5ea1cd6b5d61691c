// The page behind the link in an invitation. It works without scripts.
import type { Timestamp } from '@keelson/core';
import { html, type Html, type Zone } from '@keelson/core/kit';
import { spokenIn, type Wording } from '@keelson/core/plugin';
import { frame } from '@keelson/modules/accounts';
import type { Ticket } from '@keelson/modules/tickets';
import { titles } from './appointments.ts';
import type { Appointment } from './entities.ts';
import type { FreeTime } from './free-times.ts';
import { spanInWords } from './words.ts';

interface Shown {
  readonly wording: Wording;
  readonly tenant: string;
  readonly token: string;
  readonly zone: Zone;
  readonly now: Timestamp;
  readonly technician: string;
  readonly appointment: Appointment;
  readonly ticket: Pick<Ticket, 'ticket_id' | 'ticket_number' | 'subject'>;
  /** Times to which it can be moved. */
  readonly times: readonly FreeTime[];
  /** The chosen time was taken in the meantime. */
  readonly refused: boolean;
}

const titleIn = ({ t }: Wording, confirmation: Appointment['confirmation']): string =>
  ({
    none: t('Appointment'),
    asked: t('Confirm the appointment'),
    confirmed: t('Appointment confirmed'),
    declined: t('Appointment declined'),
  })[confirmation];

export function appointmentPage(shown: Shown): string {
  const { wording, tenant, token, zone, now, technician, appointment, ticket, times, refused } = shown;
  const { kind, confirmation, ends_at } = appointment;
  const over = ends_at <= now;
  const { t } = wording;
  const title = over ? t('This appointment is over') : titleIn(wording, confirmation);
  const button = (answer: string, label: string) =>
    html`<form method="post" action="/appointment">
      <input type="hidden" name="token" value="${token}" />
      <input type="hidden" name="answer" value="${answer}" />
      <button type="submit">${label}</button>
    </form>`;
  const inWords = (time: FreeTime) => spokenIn(wording, spanInWords(time, zone));
  const when = inWords(appointment);
  const mover = html`<form method="post" action="/appointment">
    <input type="hidden" name="token" value="${token}" />
    <input type="hidden" name="answer" value="moved" />
    <label for="starts_at">${t('Another time')}</label>
    <select id="starts_at" name="starts_at">
      ${join(times.map((each) => html`<option value="${each.starts_at}">${inWords(each)}</option>`))}
    </select>
    <button type="submit">${t('Move the appointment')}</button>
  </form>`;
  return frame(
    wording,
    `${title} – ${tenant}`,
    html`<h1>${title}</h1>
      ${refused ? html`<p role="alert">${t('This time is no longer available. Choose another one.')}</p>` : html``}
      <p>${t('{kind} by {technician}: {when}', { kind: t(titles[kind]), technician, when })}</p>
      <p>${t('Ticket #{number}', { number: String(ticket.ticket_number) })}: <strong>${ticket.subject}</strong></p>
      ${over || confirmation === 'confirmed' ? html`` : button('confirmed', t('Confirm'))}
      ${over || confirmation === 'declined' ? html`` : button('declined', t('Decline'))}
      ${over || times.length === 0 ? html`` : mover}
      <p><a href="/helpdesk/tickets/${ticket.ticket_number}">${t('Open the ticket to propose another time')}</a></p>`,
  );
}

const join = (parts: readonly Html[]): Html => parts.reduce((whole, each) => html`${whole}${each}`, html``);

export function deadAppointmentPage(wording: Wording, tenant: string): string {
  const { t } = wording;
  return frame(
    wording,
    tenant,
    html`<h1>${t('This link is no longer valid')}</h1>
      <p>${t('The appointment was moved or cancelled. A newer email has the current one.')}</p>`,
  );
}
