// The page behind the links in a closing mail: rate, comment, reopen. It works without scripts.
import { html, type Html } from '@keelson/core/kit';
import type { Wording } from '@keelson/core/plugin';
import { frame } from '@keelson/modules/accounts';
import type { Ticket } from '@keelson/modules/tickets';
import { scores, type Score } from './entities.ts';
import { words, type Rated } from './ratings.ts';

export interface RatingPage {
  readonly wording: Wording;
  readonly tenant: string;
  readonly token: string;
  readonly rated: Rated;
  /** The score of the link that was followed. */
  readonly score?: Score | undefined;
  readonly error?: string | undefined;
}

export function ratingPage({ wording, tenant, token, rated, score, error }: RatingPage): string {
  const { ticket, rating, open, closed } = rated;
  const { t } = wording;
  const title = rating ? t('You rated this ticket: {score}', { score: t(words[rating.score]) }) : t('How did we do?');
  return frame(
    wording,
    `${title} – ${tenant}`,
    html`<h1>${title}</h1>
      <p>${t('Ticket #{number}', { number: String(ticket.ticket_number) })}: <strong>${ticket.subject}</strong></p>
      ${error === undefined ? '' : html`<p role="alert">${error}</p>`}
      ${open ? rateForm(wording, { token, score: rating?.score ?? score, comment: rating?.comment ?? '' }) : given(wording, rating?.comment)}
      ${closed ? reopenForm(wording, token) : html`<p>${t('This ticket has been reopened.')}</p>`}`,
  );
}

function rateForm(
  { t }: Wording,
  { token, score, comment }: { readonly token: string; readonly score: Score | undefined; readonly comment: string },
): Html {
  return html`<form method="post" action="/rate">
    <input type="hidden" name="token" value="${token}" />
    <fieldset>
      <legend>${t('Your rating')}</legend>
      ${join(scores.map((each) => option(each, t(words[each]), each === score)))}
    </fieldset>
    <label for="comment">${t('Comment (optional)')}</label>
    <textarea id="comment" name="comment" rows="4" maxlength="4000">${comment}</textarea>
    <button type="submit">${t('Send')}</button>
  </form>`;
}

function option(score: Score, label: string, checked: boolean): Html {
  return html`<label
    ><input type="radio" name="score" value="${score}" required ${checked ? html`checked` : ''} /> ${label}</label
  > `;
}

const given = ({ t }: Wording, comment: string | undefined): Html =>
  comment
    ? html`<p>${t('Your comment: {comment}', { comment })}</p>`
    : html`<p>${t('Thank you for your feedback.')}</p>`;

function reopenForm({ t }: Wording, token: string): Html {
  return html`<h2>${t('Not solved?')}</h2>
    <form method="post" action="/rate/reopen">
      <input type="hidden" name="token" value="${token}" />
      <label for="reason">${t('What is still wrong? (optional)')}</label>
      <textarea id="reason" name="comment" rows="3" maxlength="4000"></textarea>
      <button type="submit">${t('Reopen ticket')}</button>
    </form>`;
}

export function reopenedPage(wording: Wording, tenant: string, { ticket_number }: Ticket): string {
  const { t } = wording;
  return frame(
    wording,
    `${t('Ticket reopened')} – ${tenant}`,
    html`<h1>${t('Ticket #{number} is open again', { number: String(ticket_number) })}</h1>
      <p>${t('We have been notified.')} <a href="/helpdesk/tickets/${ticket_number}">${t('Open the ticket')}</a></p>`,
  );
}

export function deadRatingPage(wording: Wording, tenant: string): string {
  const { t } = wording;
  return frame(
    wording,
    tenant,
    html`<h1>${t('This link is not valid')}</h1>
      <p>${t('It has expired, or the ticket is no longer yours.')}</p>`,
  );
}

const join = (parts: readonly Html[]): Html => parts.reduce((whole, each) => html`${whole}${each}`, html``);
