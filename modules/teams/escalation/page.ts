// The page behind the link of an escalation mail. It works without scripts.
import { html } from '@keelson/core/kit';
import { frame } from '@keelson/modules/accounts';
import type { Ticket } from '@keelson/modules/tickets';
import type { Escalation } from './entities.ts';

interface Shown {
  readonly tenant: string;
  readonly token: string;
  readonly escalation: Escalation;
  readonly ticket: Pick<Ticket, 'ticket_number' | 'subject'>;
}

export function escalationPage({ tenant, token, escalation, ticket }: Shown): string {
  const { ended_at, acknowledged_at } = escalation;
  const title = acknowledged_at ? 'Escalation acknowledged' : ended_at ? 'Escalation ended' : 'Acknowledge escalation';
  return frame(
    `${title} – ${tenant}`,
    html`<h1>${title}</h1>
      <p>Ticket #${ticket.ticket_number}: <strong>${ticket.subject}</strong></p>
      ${
        ended_at
          ? html`<p>No further notifications are sent.</p>`
          : html`<form method="post" action="/escalation">
              <input type="hidden" name="token" value="${token}" />
              <button type="submit">Acknowledge</button>
            </form>`
      }
      <p><a href="/admin/tickets/${ticket.ticket_number}">Open the ticket</a></p>`,
  );
}

export function deadEscalationPage(tenant: string): string {
  return frame(
    tenant,
    html`<h1>This link is not valid</h1>
      <p>The ticket may have been deleted.</p>`,
  );
}
