import { dayInWords, html, type Html } from '@keelson/core/kit';
import type { Wording } from '@keelson/core/plugin';
import { qrCode } from '../factors/qr.ts';
import type { FactorState, NewKey } from '../factors/second-factor.ts';
import { HOME } from '../next.ts';
import { alert, field, frame, joined } from './pages.ts';

// Pages of the second factor: the second step of a sign-in, and technicians' own settings.

export interface CodePage {
  readonly wording: Wording;
  readonly tenant: string;
  /** The form's target. */
  readonly action: string;
  /** The sealed state of the first step. */
  readonly pending: string;
  readonly error?: string | undefined;
}

export function codePage({ wording, tenant, action, pending, error }: CodePage): string {
  const { t } = wording;
  return frame(
    wording,
    `${t('Sign in')} – ${tenant}`,
    html`<h1>${t('Enter a code')}</h1>
      <p>${t('Use a code from your authenticator app or a recovery code.')}</p>
      ${alert(error)}
      <form method="post" action="${action}">
        <input type="hidden" name="pending" value="${pending}" />
        ${codeField(t('Code'))}
        <button type="submit">${t('Sign in')}</button>
      </form>`,
  );
}

export interface KeyPage {
  readonly wording: Wording;
  readonly tenant: string;
  readonly action: string;
  /** Only at the second step of a sign-in. */
  readonly pending?: string;
  /** Absent after a wrong code: the key is shown once. */
  readonly key?: NewKey | undefined;
  readonly error?: string | undefined;
}

export async function keyPage({ wording, tenant, action, pending, key, error }: KeyPage): Promise<string> {
  const { t } = wording;
  const note = pending === undefined ? html`` : html`<input type="hidden" name="pending" value="${pending}" />`;
  return frame(
    wording,
    `${t('Two-factor authentication')} – ${tenant}`,
    html`<h1>${t('Set up two-factor authentication')}</h1>
      ${key ? await keyOf(wording, key) : html`<p>${t('Enter the code your authenticator app shows for the key you added.')}</p>`}
      ${alert(error)}
      <form method="post" action="${action}">
        ${note} ${codeField(t('Code from your app'))}
        <button type="submit">${t('Set up')}</button>
      </form>`,
  );
}

async function keyOf({ t }: Wording, key: NewKey): Promise<Html> {
  return html`<ol>
      <li>${t('Scan this QR code with an authenticator app, or enter the key manually.')}</li>
      <li>${t('Within 10 minutes, enter the code the app shows.')}</li>
    </ol>
    <div role="img" aria-label="${t('QR code for the key')}">${await qrCode(key.otpauth_uri)}</div>
    <p>${t('Key:')} <code>${key.secret.match(/.{1,4}/g)?.join(' ') ?? key.secret}</code></p>`;
}

export function recoveryCodesPage(
  wording: Wording,
  {
    tenant,
    codes,
    next = HOME,
  }: { readonly tenant: string; readonly codes: readonly string[]; readonly next?: string },
): string {
  const { t } = wording;
  const list = codes.map((code) => html`<li><code>${code}</code></li>`).reduce(joined, html``);
  return frame(
    wording,
    `${t('Recovery codes')} – ${tenant}`,
    html`<h1>${t('Your recovery codes')}</h1>
      <p>
        ${t('Store them somewhere you can reach without your phone. Each code works once, and they will not be shown again.')}
      </p>
      <ul>
        ${list}
      </ul>
      <p><a href="${next}">${t('Continue')}</a></p>`,
  );
}

export interface FactorPage {
  readonly wording: Wording;
  readonly tenant: string;
  readonly state: FactorState;
  /** Every technician must have a second factor. */
  readonly required: boolean;
  readonly error?: string | undefined;
}

export function factorPage({ wording, tenant, state, required, error }: FactorPage): string {
  const { t } = wording;
  return frame(
    wording,
    `${t('Two-factor authentication')} – ${tenant}`,
    html`<h1>${t('Two-factor authentication')}</h1>
      ${alert(error)} ${state.enabled ? whenOn(wording, state, required) : whenOff(wording)}
      <p><a href="/admin/account">${t('Back')}</a></p>`,
  );
}

/**
 * The last page of a sign-in from elsewhere. The content security policy forbids forms, but not links, to lead to
 * another host.
 */
export function arrivedPage(wording: Wording, tenant: string, location: string): string {
  const { t } = wording;
  return frame(
    wording,
    `${t('Signed in')} – ${tenant}`,
    html`<h1>${t('You are signed in')}</h1>
      <meta http-equiv="refresh" content="0; url=${location}" />
      <p><a href="${location}">${t('Continue')}</a></p>`,
  );
}

const whenOff = ({ t }: Wording): Html =>
  html`<p>${t('Your account is protected by a password only.')}</p>
    <form method="post" action="/admin/second-factor/begin">
      ${field({ name: 'password', label: t('Password'), type: 'password', autocomplete: 'current-password' })}
      <button type="submit">${t('Set up an authenticator app')}</button>
    </form>`;

function whenOn(wording: Wording, { enabled_at, recovery_codes_left: left }: FactorState, required: boolean): Html {
  const { t, language } = wording;
  return html`<p>
      ${t('Authenticator app set up on {day}. {left, plural, one {# recovery code} other {# recovery codes}} left.', {
        day: dayInWords(enabled_at?.slice(0, 10) ?? '', language),
        left,
      })}
    </p>
    <form method="post" action="/admin/second-factor/codes">
      ${codeField(t('Code'))}
      <button type="submit">${t('Generate new recovery codes')}</button>
    </form>
    ${required ? html`` : switchOff(wording)}`;
}

const switchOff = ({ t }: Wording): Html =>
  html`<form method="post" action="/admin/second-factor/off">
    ${field({ name: 'password', label: t('Password'), type: 'password', autocomplete: 'current-password' })}
    <p>
      <label for="last">${t('Code')}</label>
      <input id="last" name="code" autocomplete="one-time-code" required />
    </p>
    <button type="submit">${t('Turn off')}</button>
  </form>`;

function codeField(label: string): Html {
  return field({ name: 'code', label, type: 'text', autocomplete: 'one-time-code' });
}
