// The page behind the link in an escalation mail. It works without scripts.
import { html } from '@keelson/core/kit';
import type { Wording } from '@keelson/core/plugin';
import { frame } from '@keelson/modules/accounts';
import type { Ticket } from '@keelson/modules/tickets';
import type { Escalation } from './entities.ts';

interface Shown {
  readonly wording: Wording;
  readonly tenant: string;
  readonly token: string;
  readonly escalation: Escalation;
  readonly ticket: Pick<Ticket, 'ticket_number' | 'subject'>;
}

export function escalationPage({ wording, tenant, token, escalation, ticket }: Shown): string {
  const { ended_at, acknowledged_at } = escalation;
  const { t } = wording;
  const title = acknowledged_at
    ? t('Escalation acknowledged')
    : t(ended_at ? 'Escalation ended' : 'Acknowledge escalation');
  return frame(
    wording,
    `${title} – ${tenant}`,
    html`<h1>${title}</h1>
      <p>${t('Ticket #{number}', { number: String(ticket.ticket_number) })}: <strong>${ticket.subject}</strong></p>
      ${
        ended_at
          ? html`<p>${t('No further notifications are sent.')}</p>`
          : html`<form method="post" action="/escalation">
              <input type="hidden" name="token" value="${token}" />
              <button type="submit">${t('Acknowledge')}</button>
            </form>`
      }
      <p><a href="/admin/tickets/${ticket.ticket_number}">${t('Open the ticket')}</a></p>`,
  );
}

export function deadEscalationPage(wording: Wording, tenant: string): string {
  const { t } = wording;
  return frame(
    wording,
    tenant,
    html`<h1>${t('This link is not valid')}</h1>
      <p>${t('The ticket may have been deleted.')}</p>`,
  );
}
