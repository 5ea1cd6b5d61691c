import { html, type Html } from '@keelson/core/kit';
import type { Wording } from '@keelson/core/plugin';
import type { TechnicianActor } from '@keelson/core/system';

// Sign-in pages: plain forms that need no script, no mouse and no large screen.

/** Shown on sign-in pages before the first administrator exists. */
export const withoutAdministrator = ({ t }: Wording): Html =>
  html`<p role="status">
    ${t(
      'There is no administrator yet. Keelson prints a set-up link when it starts. Open it within 24 hours, or restart Keelson to get a new one. You can also run:',
    )}
    <code>npm run staff -- add "Your Name" --email you@example.com --role administrator</code>
  </p>`;

export interface SignInPage {
  readonly wording: Wording;
  readonly tenant: string;
  /** The form's target. */
  readonly action: string;
  readonly email?: string;
  readonly error?: string | undefined;
  /** Identity providers for staff. */
  readonly providers?: readonly { readonly name: string; readonly href: string }[];
  /** No administrator exists yet. */
  readonly empty?: boolean;
}

export function signInPage({ wording, tenant, action, providers = [], email = '', ...shown }: SignInPage): string {
  const { error, empty = false } = shown;
  const { t } = wording;
  return frame(
    wording,
    `${t('Sign in')} – ${tenant}`,
    html`<h1>${t('Sign in to {tenant}', { tenant })}</h1>
      ${alert(error)} ${empty ? withoutAdministrator(wording) : html``}
      <form method="post" action="${action}">
        ${field({ name: 'email', label: t('Email address'), type: 'email', value: email, autocomplete: 'username' })}
        ${field({ name: 'password', label: t('Password'), type: 'password', autocomplete: 'current-password' })}
        <button type="submit">${t('Sign in')}</button>
      </form>
      <p><a href="/admin/forgotten">${t('Forgot your password?')}</a></p>
      ${providers.map(({ name, href }) => html`<p><a class="button" href="${href}">${t('Sign in with {name}', { name })}</a></p>`).reduce(joined, html``)}`,
  );
}

export interface SetUpPage {
  readonly wording: Wording;
  readonly token: string;
  readonly minimum: number;
  readonly name?: string;
  readonly email?: string;
  readonly error?: string | undefined;
}

export function setUpPage({ wording, token, minimum, name = '', email = '', error }: SetUpPage): string {
  const { t } = wording;
  return frame(
    wording,
    t('Set up Keelson'),
    html`<h1>${t('Set up Keelson')}</h1>
      <p>${t('Create the first administrator. This link can only be used once.')}</p>
      ${alert(error)}
      <form method="post" action="/admin/setup">
        <input type="hidden" name="token" value="${token}" />
        ${field({ name: 'name', label: t('Your name'), type: 'text', value: name, autocomplete: 'name' })}
        ${field({ name: 'email', label: t('Email address'), type: 'email', value: email, autocomplete: 'username' })}
        ${field({
          name: 'password',
          label: t('Password (at least {minimum} characters)', { minimum }),
          type: 'password',
          autocomplete: 'new-password',
        })}
        <button type="submit">${t('Create administrator')}</button>
      </form>`,
  );
}

export function voidLinkPage(wording: Wording): string {
  const { t } = wording;
  return frame(
    wording,
    t('Set up Keelson'),
    html`<h1>${t('This link is no longer valid')}</h1>
      <p>${t('It has been used, or an administrator already exists.')}</p>
      <p><a href="/admin/login">${t('Sign in')}</a></p>`,
  );
}

export function homePage(wording: Wording, tenant: string, { name, email, role }: TechnicianActor): string {
  const { t } = wording;
  const who = role === 'administrator' ? t('Administrator') : t('Technician');
  return frame(
    wording,
    tenant,
    html`<h1>${tenant}</h1>
      <p>${t('Signed in as {name} ({email}, {role}).', { name, email, role: who })}</p>
      <ul>
        <li><a href="/admin/second-factor">${t('Two-factor authentication')}</a></li>
        <li><a href="/docs">${t('API reference')}</a></li>
      </ul>
      <form method="post" action="/admin/logout"><button type="submit">${t('Sign out')}</button></form>`,
  );
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'password';
  readonly value?: string;
  readonly autocomplete: string;
}

export function field({ name, label, type, value = '', autocomplete }: Field): Html {
  return html`<p>
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" required />
  </p>`;
}

export function alert(error: string | undefined): Html {
  return error === undefined ? html`` : html`<p role="alert">${error}</p>`;
}

/** Returns a complete HTML page. @param look the class of its `main` */
export function frame({ language }: Wording, title: string, body: Html, look = ''): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.ico" />
        <link rel="stylesheet" href="/web/kit.css" />
      </head>
      <body class="server-page">
        <main class="${look}">${body}</main>
      </body>
    </html>`.text;
}

/** Joins parts of a page, for `reduce`. */
export function joined(before: Html, next: Html): Html {
  return html`${before}${next}`;
}
