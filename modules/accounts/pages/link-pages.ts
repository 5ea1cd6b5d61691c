import { html } from '@keelson/core/kit';
import { alert, field, frame } from './pages.ts';

// Pages behind the links in mails, and the page that requests such a link.

export interface PasswordPage {
  readonly tenant: string;
  readonly heading: string;
  /** The form's target. */
  readonly action: string;
  readonly token: string;
  /** The e-mail address of the account. */
  readonly email: string;
  readonly minimum: number;
  readonly error?: string | undefined;
}

export function passwordPage({ tenant, heading, action, token, email, minimum, error }: PasswordPage): string {
  return frame(
    `${heading} – ${tenant}`,
    html`<h1>${heading}</h1>
      <p>For <strong>${email}</strong> at ${tenant}. The link works once.</p>
      ${alert(error)}
      <form method="post" action="${action}">
        <input type="hidden" name="token" value="${token}" />
        <input type="hidden" name="username" value="${email}" autocomplete="username" />
        ${field({
          name: 'password',
          label: `Password (at least ${minimum} characters)`,
          type: 'password',
          autocomplete: 'new-password',
        })}
        <button type="submit">Save password</button>
      </form>`,
  );
}

export function deadLinkPage(tenant: string, again: string | undefined): string {
  return frame(
    tenant,
    html`<h1>This link is not valid</h1>
      <p>It was used, replaced by a newer one, or is too old.</p>
      ${again === undefined ? html`<p>Ask for another invitation.</p>` : html`<p><a href="${again}">Ask for another link</a></p>`}`,
  );
}

export interface AskPage {
  readonly tenant: string;
  readonly action: string;
  readonly error?: string | undefined;
}

export function askPage({ tenant, action, error }: AskPage): string {
  return frame(
    `Forgotten password – ${tenant}`,
    html`<h1>Forgotten password</h1>
      <p>We send a link to choose a new one to your e-mail address at ${tenant}.</p>
      ${alert(error)}
      <form method="post" action="${action}">
        ${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' })}
        <button type="submit">Send the link</button>
      </form>`,
  );
}

/** The same page for everyone: it must not reveal whether the account exists. */
export function requestedPage(tenant: string): string {
  return frame(
    `Forgotten password – ${tenant}`,
    html`<h1>Look into your mailbox</h1>
      <p>If there is an account with this address, a link is on its way. It works for one hour.</p>`,
  );
}

export function savedPage(tenant: string, signIn: string): string {
  return frame(
    tenant,
    html`<h1>Your password is saved</h1>
      <p>All earlier sessions were ended.</p>
      <p><a href="${signIn}">Sign in</a></p>`,
  );
}
