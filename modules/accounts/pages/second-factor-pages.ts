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
      <p>Use a code from your authenticator app or a recovery code.</p>
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
    `Two-factor authentication – ${tenant}`,
    html`<h1>Set up two-factor authentication</h1>
      ${key ? await keyOf(key) : html`<p>Enter the code your authenticator app shows for the key you added.</p>`}
      ${alert(error)}
      <form method="post" action="${action}">
        ${note} ${codeField('Code from your app')}
        <button type="submit">Set up</button>
      </form>`,
  );
}

async function keyOf(key: NewKey): Promise<Html> {
  return html`<ol>
      <li>Scan this QR code with an authenticator app, or enter the key manually.</li>
      <li>Within 10 minutes, enter the code the app shows.</li>
    </ol>
    <div role="img" aria-label="QR code for the key">${await qrCode(key.otpauth_uri)}</div>
    <p>Key: <code>${key.secret.match(/.{1,4}/g)?.join(' ') ?? key.secret}</code></p>`;
}

export function recoveryCodesPage(tenant: string, codes: readonly string[], next = HOME): string {
  const list = codes.map((code) => html`<li><code>${code}</code></li>`).reduce(joined, html``);
  return frame(
    `Recovery codes – ${tenant}`,
    html`<h1>Your recovery codes</h1>
      <p>
        Store them somewhere you can reach without your phone. Each code works once, and they will not be shown again.
      </p>
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
    `Two-factor authentication – ${tenant}`,
    html`<h1>Two-factor authentication</h1>
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

const whenOff = html`<p>Your account is protected by a password only.</p>
  <form method="post" action="/admin/second-factor/begin">
    ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
    <button type="submit">Set up an authenticator app</button>
  </form>`;

function whenOn({ enabled_at, recovery_codes_left }: FactorState, required: boolean): Html {
  return html`<p>
      Authenticator app set up on ${enabled_at?.slice(0, 10) ?? ''}. ${recovery_codes_left} recovery codes left.
    </p>
    <form method="post" action="/admin/second-factor/codes">
      ${codeField('Code')}
      <button type="submit">Generate new recovery codes</button>
    </form>
    ${required ? html`` : switchOff}`;
}

const switchOff = html`<form method="post" action="/admin/second-factor/off">
  ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
  <p>
    <label for="last">Code</label>
    <input id="last" name="code" autocomplete="one-time-code" required />
  </p>
  <button type="submit">Turn off</button>
</form>`;

function codeField(label: string): Html {
  return field({ name: 'code', label, type: 'text', autocomplete: 'one-time-code' });
}

function joined(before: Html, next: Html): Html {
  return html`${before}${next}`;
}
