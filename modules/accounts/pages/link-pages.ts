import { html } from '@keelson/core/kit';
import type { Wording } from '@keelson/core/plugin';
import { alert, field, frame } from './pages.ts';

// Pages behind the links in mails, and the page that requests such a link.

export interface PasswordPage {
  readonly wording: Wording;
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

export function passwordPage({ wording, tenant, heading, action, token, email, minimum, error }: PasswordPage): string {
  const { t } = wording;
  return frame(
    wording,
    `${heading} – ${tenant}`,
    html`<h1>${heading}</h1>
      <p>${t('For {email} at {tenant}. This link can only be used once.', { email, tenant })}</p>
      ${alert(error)}
      <form method="post" action="${action}">
        <input type="hidden" name="token" value="${token}" />
        <input type="hidden" name="username" value="${email}" autocomplete="username" />
        ${field({
          name: 'password',
          label: t('Password (at least {minimum} characters)', { minimum }),
          type: 'password',
          autocomplete: 'new-password',
        })}
        <button type="submit">${t('Save password')}</button>
      </form>`,
  );
}

export function deadLinkPage(wording: Wording, tenant: string, again: string | undefined): string {
  const { t } = wording;
  return frame(
    wording,
    tenant,
    html`<h1>${t('This link is no longer valid')}</h1>
      <p>${t('It has been used, replaced by a newer one, or has expired.')}</p>
      ${again === undefined ? html`<p>${t('Ask for a new invitation.')}</p>` : html`<p><a href="${again}">${t('Request a new link')}</a></p>`}`,
  );
}

export interface AskPage {
  readonly wording: Wording;
  readonly tenant: string;
  readonly action: string;
  readonly error?: string | undefined;
}

export function askPage({ wording, tenant, action, error }: AskPage): string {
  const { t } = wording;
  return frame(
    wording,
    `${t('Reset your password')} – ${tenant}`,
    html`<h1>${t('Reset your password')}</h1>
      <p>
        ${t('Enter your email address at {tenant} and we’ll send you a link to choose a new password.', { tenant })}
      </p>
      ${alert(error)}
      <form method="post" action="${action}">
        ${field({ name: 'email', label: t('Email address'), type: 'email', autocomplete: 'username' })}
        <button type="submit">${t('Send link')}</button>
      </form>`,
  );
}

/** The same page for everyone: it must not reveal whether the account exists. */
export function requestedPage(wording: Wording, tenant: string): string {
  const { t } = wording;
  return frame(
    wording,
    `${t('Reset your password')} – ${tenant}`,
    html`<h1>${t('Check your email')}</h1>
      <p>${t('If an account exists for this address, we’ve sent a link to it. The link is valid for one hour.')}</p>`,
  );
}

export function savedPage(wording: Wording, tenant: string, signIn: string): string {
  const { t } = wording;
  return frame(
    wording,
    tenant,
    html`<h1>${t('Password saved')}</h1>
      <p>${t('You have been signed out of all other sessions.')}</p>
      <p><a href="${signIn}">${t('Sign in')}</a></p>`,
  );
}
