import { html, type Html } from '@keelson/core/kit';
import type { TechnicianActor } from '@keelson/core/system';

// Pages for signing in: plain forms that need no script, no mouse and no large screen.

export interface SignInPage {
  readonly tenant: string;
  readonly email?: string;
  readonly error?: string | undefined;
}

export function signInPage({ tenant, email = '', error }: SignInPage): string {
  return frame(
    `Sign in – ${tenant}`,
    html`<h1>Sign in to ${tenant}</h1>
      ${alert(error)}
      <form method="post" action="/admin/login">
        ${field({ name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username' })}
        ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
        <button type="submit">Sign in</button>
      </form>
      <p><a href="/admin/forgotten">Forgotten password?</a></p>`,
  );
}

export interface SetUpPage {
  readonly token: string;
  readonly minimum: number;
  readonly name?: string;
  readonly email?: string;
  readonly error?: string | undefined;
}

export function setUpPage({ token, minimum, name = '', email = '', error }: SetUpPage): string {
  return frame(
    'Set up Keelson',
    html`<h1>Set up Keelson</h1>
      <p>This makes the first administrator. The link works once.</p>
      ${alert(error)}
      <form method="post" action="/admin/setup">
        <input type="hidden" name="token" value="${token}" />
        ${field({ name: 'name', label: 'Your name', type: 'text', value: name, autocomplete: 'name' })}
        ${field({ name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username' })}
        ${field({
          name: 'password',
          label: `Password (at least ${minimum} characters)`,
          type: 'password',
          autocomplete: 'new-password',
        })}
        <button type="submit">Create administrator</button>
      </form>`,
  );
}

export function voidLinkPage(): string {
  return frame(
    'Set up Keelson',
    html`<h1>This link is not valid</h1>
      <p>It was used, or there is an administrator already.</p>
      <p><a href="/admin/login">Sign in</a></p>`,
  );
}

export function homePage(tenant: string, actor: TechnicianActor): string {
  return frame(
    tenant,
    html`<h1>${tenant}</h1>
      <p>Signed in as <strong>${actor.name}</strong> (${actor.email}, ${actor.role}).</p>
      <ul>
        <li><a href="/admin/second-factor">Second factor</a></li>
        <li><a href="/docs">API reference</a></li>
      </ul>
      <form method="post" action="/admin/logout"><button type="submit">Sign out</button></form>`,
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

const style = html`<style>
  body {
    font:
      1rem/1.5 system-ui,
      sans-serif;
    color: #0f172a;
    background: #f8fafc;
    margin: 0;
  }
  main {
    max-width: 24rem;
    margin: 10vh auto 2rem;
    padding: 0 1rem;
  }
  label {
    display: block;
    font-weight: 600;
  }
  input {
    box-sizing: border-box;
    width: 100%;
    padding: 0.5rem;
    font: inherit;
    border: 1px solid #64748b;
    border-radius: 0.25rem;
  }
  button {
    padding: 0.5rem 1rem;
    font: inherit;
    color: #fff;
    background: #1e3a5f;
    border: 0;
    border-radius: 0.25rem;
    cursor: pointer;
  }
  :focus-visible {
    outline: 3px solid #2563eb;
    outline-offset: 2px;
  }
  [role='alert'] {
    padding: 0.5rem 0.75rem;
    color: #7f1d1d;
    background: #fee2e2;
    border-left: 4px solid #b91c1c;
  }
</style>`;

export function frame(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${style}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`.text;
}
