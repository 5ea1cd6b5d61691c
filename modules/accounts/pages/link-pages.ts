import { html } from '@keelson/core/kit';
import { alert, field, frame } from './pages.ts';

// Pages behind the links in mails, and the page that requests such a link.

export interface PasswordPage {
  readonly tenant: string;
  readonly heading: string;
  /** The form's target. */
  readonly action: string;
  readonly token: string;
  /** The email address of the account. */
  readonly email: string;
  readonly minimum: number;
  readonly error?: string | undefined;
}

export function passwordPage({ tenant, heading, action, token, email, minimum, error }: PasswordPage): string {
  return frame(
    `${heading} – ${tenant}`,
    html`<h1>${heading}</h1>
      <p>For <strong>${email}</strong> at ${tenant}. This link can only be used once.</p>
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
    html`<h1>This link is no longer valid</h1>
      <p>It has been used, replaced by a newer one, or has expired.</p>
      ${again === undefined ? html`<p>Ask for a new invitation.</p>` : html`<p><a href="${again}">Request a new link</a></p>`}`,
  );
}

export interface AskPage {
  readonly tenant: string;
  readonly action: string;
  readonly error?: string | undefined;
}

export function askPage({ tenant, action, error }: AskPage): string {
  return frame(
    `Reset your password – ${tenant}`,
    html`<h1>Reset your password</h1>
      <p>Enter your email address at ${tenant} and we’ll send you a link to choose a new password.</p>
      ${alert(error)}
      <form method="post" action="${action}">
        ${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'username' })}
        <button type="submit">Send link</button>
      </form>`,
  );
}

/** The same page for everyone: it must not reveal whether the account exists. */
export function requestedPage(tenant: string): string {
  return frame(
    `Reset your password – ${tenant}`,
    html`<h1>Check your email</h1>
      <p>If an account exists for this address, we’ve sent a link to it. The link is valid for one hour.</p>`,
  );
}

export function savedPage(tenant: string, signIn: string): string {
  return frame(
    tenant,
    html`<h1>Password saved</h1>
      <p>You have been signed out of all other sessions.</p>
      <p><a href="${signIn}">Sign in</a></p>`,
  );
}
