// The page behind the link in a mail that asks for an approval. It works without scripts.
import { html, type Html } from '@keelson/core/kit';
import type { Wording } from '@keelson/core/plugin';
import { frame } from '@keelson/modules/accounts';
import type { Ticket } from '../entities.ts';

interface Shown {
  readonly wording: Wording;
  readonly tenant: string;
  readonly token: string;
  readonly ticket: Ticket;
  readonly requester_name: string;
  readonly error?: string | undefined;
}

export function approvalPage({ wording, tenant, token, ticket, requester_name, error }: Shown): string {
  const { t } = wording;
  const { approval_status, ticket_number, subject, description, job_type } = ticket;
  const titles = {
    pending: t('Approval needed'),
    approved: t('Request approved'),
    rejected: t('Request rejected'),
    none: t('No approval needed'),
  };
  const title = titles[approval_status];
  return frame(
    wording,
    `${title} – ${tenant}`,
    html`<h1>${title}</h1>
      ${error === undefined ? '' : html`<p role="alert">${error}</p>`}
      <p>${t('Ticket #{number}', { number: String(ticket_number) })}: <strong>${subject}</strong></p>
      <p>${t('{name} asks for: {category}', { name: requester_name, category: job_type })}</p>
      <p class="text">${description}</p>
      ${approval_status === 'pending' ? forms(wording, token) : ''}
      <p><a href="/helpdesk/approvals">${t('All approvals')}</a></p>`,
  );
}

function forms({ t }: Wording, token: string): Html {
  return html`<form method="post" action="/approval">
      <input type="hidden" name="token" value="${token}" />
      <button type="submit">${t('Approve')}</button>
    </form>
    <form method="post" action="/approval/reject">
      <input type="hidden" name="token" value="${token}" />
      <label for="reason">${t('Reason for the rejection')}</label>
      <textarea id="reason" name="reason" rows="3" maxlength="4000" required></textarea>
      <button type="submit">${t('Reject')}</button>
    </form>`;
}

export function deadApprovalPage(wording: Wording, tenant: string): string {
  const { t } = wording;
  return frame(
    wording,
    tenant,
    html`<h1>${t('This link is not valid')}</h1>
      <p>${t('The ticket may have been deleted, or you may no longer decide on it.')}</p>`,
  );
}
