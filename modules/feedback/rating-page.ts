// The page behind the links of a closing mail: rate, comment, reopen. It works without scripts.
import { html, type Html } from '@keelson/core/kit';
import { frame } from '@keelson/modules/accounts';
import type { Ticket } from '@keelson/modules/tickets';
import { scores, type Score } from './entities.ts';
import { words, type Rated } from './ratings.ts';

export interface RatingPage {
  readonly tenant: string;
  readonly token: string;
  readonly rated: Rated;
  /** The score of the link that was followed. */
  readonly score?: Score | undefined;
  readonly error?: string | undefined;
}

export function ratingPage({ tenant, token, rated, score, error }: RatingPage): string {
  const { ticket, rating, open, closed } = rated;
  const title = rating ? `You rated this ticket: ${words[rating.score]}` : 'How did we do?';
  return frame(
    `${title} – ${tenant}`,
    html`<h1>${title}</h1>
      <p>Ticket #${ticket.ticket_number}: <strong>${ticket.subject}</strong></p>
      ${error === undefined ? '' : html`<p role="alert">${error}</p>`}
      ${open ? rateForm(token, rating?.score ?? score, rating?.comment ?? '') : given(rating?.comment)}
      ${closed ? reopenForm(token) : html`<p>This ticket has been reopened.</p>`}`,
  );
}

function rateForm(token: string, score: Score | undefined, comment: string): Html {
  return html`<form method="post" action="/rate">
    <input type="hidden" name="token" value="${token}" />
    <fieldset>
      <legend>Your rating</legend>
      ${join(scores.map((each) => option(each, each === score)))}
    </fieldset>
    <label for="comment">Comment (optional)</label>
    <textarea id="comment" name="comment" rows="4" maxlength="4000">${comment}</textarea>
    <button type="submit">Send</button>
  </form>`;
}

function option(score: Score, checked: boolean): Html {
  return html`<label
    ><input type="radio" name="score" value="${score}" required ${checked ? html`checked` : ''} />
    ${words[score]}</label
  > `;
}

const given = (comment: string | undefined): Html =>
  comment ? html`<p>Your comment: ${comment}</p>` : html`<p>Thank you for your feedback.</p>`;

function reopenForm(token: string): Html {
  return html`<h2>Not solved?</h2>
    <form method="post" action="/rate/reopen">
      <input type="hidden" name="token" value="${token}" />
      <label for="reason">What is still wrong? (optional)</label>
      <textarea id="reason" name="comment" rows="3" maxlength="4000"></textarea>
      <button type="submit">Reopen ticket</button>
    </form>`;
}

export function reopenedPage(tenant: string, { ticket_number }: Ticket): string {
  return frame(
    `Ticket reopened – ${tenant}`,
    html`<h1>Ticket #${ticket_number} is open again</h1>
      <p>We have been notified. <a href="/helpdesk/tickets/${ticket_number}">Open the ticket</a></p>`,
  );
}

export function deadRatingPage(tenant: string): string {
  return frame(
    tenant,
    html`<h1>This link is not valid</h1>
      <p>It has expired, or the ticket is no longer yours.</p>`,
  );
}

const join = (parts: readonly Html[]): Html => parts.reduce((whole, each) => html`${whole}${each}`, html``);
