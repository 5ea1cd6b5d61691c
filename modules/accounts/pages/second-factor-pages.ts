import { html, type Html } from '@keelson/core/kit';
import { HOME } from '../next.ts';
import { alert, field, frame } from './pages.ts';
import type { FactorState, NewKey } from '../factors/second-factor.ts';
import { qrCode } from '../factors/qr.ts';

// Pages of the second factor: the second step of a sign-in, and technicians' own settings.

export interface CodePage {
  readonly tenant: string;
  /** The form's target. */
  readonly action: string;
  /** The sealed state of the first step. */
  readonly pending: string;
  readonly error?: string | undefined;
}

export function codePage({ tenant, action, pending, error }: CodePage): string {
  return frame(
    `Sign in – ${tenant}`,
    html`<h1>Enter a code</h1>
      <p>From your authenticator app, or one of your recovery codes.</p>
      ${alert(error)}
      <form method="post" action="${action}">
        <input type="hidden" name="pending" value="${pending}" />
        ${codeField('Code')}
        <button type="submit">Sign in</button>
      </form>`,
  );
}

export interface KeyPage {
  readonly tenant: string;
  readonly action: string;
  /** Only at the second step of a sign-in. */
  readonly pending?: string;
  /** Absent after a wrong code: the key is shown once. */
  readonly key?: NewKey | undefined;
  readonly error?: string | undefined;
}

export async function keyPage({ tenant, action, pending, key, error }: KeyPage): Promise<string> {
  const note = pending === undefined ? html`` : html`<input type="hidden" name="pending" value="${pending}" />`;
  return frame(
    `Second factor – ${tenant}`,
    html`<h1>Set up a second factor</h1>
      ${key ? await keyOf(key) : html`<p>Enter the code that the app shows for the key you have put into it.</p>`}
      ${alert(error)}
      <form method="post" action="${action}">
        ${note} ${codeField('Code from the app')}
        <button type="submit">Set up</button>
      </form>`,
  );
}

async function keyOf(key: NewKey): Promise<Html> {
  return html`<ol>
      <li>Scan this picture with an authenticator app, or type the key into it.</li>
      <li>Enter the code that the app shows, within 10 minutes.</li>
    </ol>
    <div role="img" aria-label="QR code of the key">${await qrCode(key.otpauth_uri)}</div>
    <p>Key: <code>${key.secret.match(/.{1,4}/g)?.join(' ') ?? key.secret}</code></p>`;
}

export function recoveryCodesPage(tenant: string, codes: readonly string[], next = HOME): string {
  const list = codes.map((code) => html`<li><code>${code}</code></li>`).reduce(joined, html``);
  return frame(
    `Recovery codes – ${tenant}`,
    html`<h1>Your recovery codes</h1>
      <p>Keep them where you find them without your phone. Each signs you in once. They are shown only now.</p>
      <ul>
        ${list}
      </ul>
      <p><a href="${next}">Continue</a></p>`,
  );
}

export interface FactorPage {
  readonly tenant: string;
  readonly state: FactorState;
  /** Every technician must have a second factor. */
  readonly required: boolean;
  readonly error?: string | undefined;
}

export function factorPage({ tenant, state, required, error }: FactorPage): string {
  return frame(
    `Second factor – ${tenant}`,
    html`<h1>Second factor</h1>
      ${alert(error)} ${state.enabled ? whenOn(state, required) : whenOff}
      <p><a href="/admin/account">Back</a></p>`,
  );
}

/**
 * The last page of a sign-in from elsewhere. The content security policy forbids forms, but not links, to lead to
 * another host.
 */
export function arrivedPage(tenant: string, location: string): string {
  return frame(
    `Signed in – ${tenant}`,
    html`<h1>You are signed in</h1>
      <meta http-equiv="refresh" content="0; url=${location}" />
      <p><a href="${location}">Continue</a></p>`,
  );
}

const whenOff = html`<p>Your account is protected by the password alone.</p>
  <form method="post" action="/admin/second-factor/begin">
    ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
    <button type="submit">Set up an authenticator app</button>
  </form>`;

function whenOn({ enabled_at, recovery_codes_left }: FactorState, required: boolean): Html {
  return html`<p>
      An authenticator app is set up since ${enabled_at?.slice(0, 10) ?? ''}; ${recovery_codes_left} recovery codes are
      left.
    </p>
    <form method="post" action="/admin/second-factor/codes">
      ${codeField('Code')}
      <button type="submit">Make new recovery codes</button>
    </form>
    ${required ? html`` : switchOff}`;
}

const switchOff = html`<form method="post" action="/admin/second-factor/off">
  ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
  <p>
    <label for="last">Code</label>
    <input id="last" name="code" autocomplete="one-time-code" required />
  </p>
  <button type="submit">Switch off</button>
</form>`;

function codeField(label: string): Html {
  return field({ name: 'code', label, type: 'text', autocomplete: 'one-time-code' });
}

function joined(before: Html, next: Html): Html {
  return html`${before}${next}`;
}
