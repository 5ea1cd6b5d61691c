// Access tokens of mailboxes that people sign in to with Microsoft or Google. They are refreshed before they expire, by
// one process at a time because a refresh token may be valid only once.
import { In, IsNull, LessThan, Not, plus, type Context, type Row } from '@keelson/core';
import { eachApart, explained, messageOf, pause } from '@keelson/core/kit';
import type { Configuration, CustomFetch } from 'openid-client';
import { Mailbox, MailboxState, MailboxToken } from '../entities.ts';
import { openSecret } from './secrets.ts';
import { MailboxAway } from './source.ts';

/** How long before expiry a token is refreshed, on use and by the job. */
const NEEDED = { minutes: 2 } as const;
const AHEAD = { minutes: 10 } as const;
/** How long one process may take to refresh a token. */
const LEASE = { seconds: 30 } as const;
/** How long before a sign-in expires administrators are notified. */
const WARNED = { days: 7 } as const;
const never = new AbortController().signal;
const TRIES = 60;
const TRY_SECONDS = 0.25;

const NO_SIGN_IN = 'Nobody has signed in to it: open the mailbox in the console and choose Sign in';

/** The mailbox columns that the provider needs. */
export type SignIn = Pick<Mailbox, 'mailbox_id' | 'sign_in' | 'protocol' | 'tenant' | 'client_id' | 'client_secret'>;

/**
 * Returns a valid access token of a mailbox. Call it outside transactions.
 * @param rejected a token that the provider no longer accepts
 * @throws MailboxAway if no one has signed in, the sign-in has expired, or the provider does not respond
 */
export async function accessTokenOf(outside: Context, mailbox: SignIn, rejected?: string): Promise<string> {
  const { mailbox_id } = mailbox;
  for (let tries = 0; tries < TRIES; tries++) {
    const row = await outside.db.findOneBy(MailboxToken, { mailbox_id });
    if (!row) throw new MailboxAway(NO_SIGN_IN);
    const now = outside.app.clock.now();
    const token = row.access_token === null ? undefined : openToken(outside, row.access_token, mailbox_id);
    const ends = row.expires_at ?? '';
    const isUsable = token !== undefined && token !== rejected;
    if (isUsable && ends > plus(now, NEEDED)) return token;
    if (row.refresh_token === null) throw new MailboxAway(row.last_error ?? NO_SIGN_IN);
    if (await takeLease(outside, row)) {
      const fresh = await refresh(outside, mailbox, row.refresh_token);
      if (fresh !== undefined) return fresh;
      continue;
    }
    // Another process is refreshing it.
    if (isUsable && ends > now) return token;
    await pause(TRY_SECONDS, never);
  }
  throw new MailboxAway('The sign-in was not refreshed in time');
}

/** Refreshes tokens that expire soon. Failures surface when the mailbox is next read. */
export async function refreshAhead(outside: Context): Promise<void> {
  const ending = await outside.db.findBy(MailboxToken, { expires_at: LessThan(plus(outside.now, AHEAD)) });
  const mailbox_id = In(ending.map((each) => each.mailbox_id));
  const boxes = await outside.db.findBy(Mailbox, { mailbox_id, active: true, deleted_at: IsNull() });
  await eachApart(
    boxes,
    ({ address }) => `mailbox ${address}`,
    (mailbox) => refreshOne(outside, mailbox),
  );
}

async function refreshOne(outside: Context, mailbox: Mailbox): Promise<void> {
  const { mailbox_id } = mailbox;
  const row = await outside.db.findOneBy(MailboxToken, { mailbox_id });
  if (!row?.refresh_token || !(await takeLease(outside, row))) return;
  await refresh(outside, mailbox, row.refresh_token).catch((err: unknown) => {
    if (!(err instanceof MailboxAway)) throw err;
    outside.log.warn({ err, mailbox_id }, 'mailbox: the sign-in is not refreshed');
  });
}

/**
 * Fails for sign-ins that have expired or expire soon, so that the health page shows them and administrators are
 * notified.
 */
export async function checkSignIns(outside: Context): Promise<void> {
  const boxes = await outside.db.findBy(Mailbox, { active: true, deleted_at: IsNull() });
  const tokens = await outside.db.findBy(MailboxToken, { mailbox_id: In(boxes.map((each) => each.mailbox_id)) });
  const soon = plus(outside.now, WARNED);
  const said = tokens.flatMap(({ mailbox_id, refresh_token, refresh_expires_at, last_error }) => {
    const { address = '' } = boxes.find((each) => each.mailbox_id === mailbox_id) ?? {};
    if (refresh_token === null) return [explained(`The sign-in to the mailbox ${address} has ended: ${last_error}`)];
    if (refresh_expires_at === null || refresh_expires_at > soon) return [];
    const day = refresh_expires_at.slice(0, 10);
    return [explained(`The sign-in to the mailbox ${address} ends on ${day}: sign in again`)];
  });
  const signedIn = new Set(tokens.map((each) => each.mailbox_id));
  const out = boxes.filter((each) => each.sign_in !== 'password' && !signedIn.has(each.mailbox_id));
  const ids = In(out.map((each) => each.mailbox_id));
  // A mailbox that was never read is still being set up.
  const read = await outside.db.findBy(MailboxState, { mailbox_id: ids, last_success_at: Not(IsNull()) });
  const unread = out.filter(({ mailbox_id }) => read.some((each) => each.mailbox_id === mailbox_id));
  said.push(...unread.map(({ address }) => explained(`Nobody is signed in to the mailbox ${address}: sign in again`)));
  if (said.length > 0) throw new Error(said.join('; '));
}

/** Claims the tokens in `row` for this process; false if another one is refreshing or has refreshed them. */
async function takeLease(outside: Context, row: Row<typeof MailboxToken>): Promise<boolean> {
  const { mailbox_id, refresh_token, access_token } = row;
  const now = outside.app.clock.now();
  const until = { refreshing_until: plus(now, LEASE) };
  const free = await outside.db.update(MailboxToken, { mailbox_id, refreshing_until: IsNull() }, until);
  const left =
    free.affected > 0
      ? free
      : await outside.db.update(MailboxToken, { mailbox_id, refreshing_until: LessThan(now) }, until);
  if (left.affected === 0) return false;
  // They may have been replaced since they were read.
  const held = await outside.db.findOneBy(MailboxToken, { mailbox_id });
  if (held?.refresh_token === refresh_token && held.access_token === access_token) return true;
  await outside.db.update(MailboxToken, { mailbox_id, ...until }, { refreshing_until: null });
  return false;
}

/**
 * Exchanges a refresh token. Returns undefined if someone has signed in or out meanwhile, in which case the response is
 * discarded.
 * @throws MailboxAway
 */
async function refresh(outside: Context, mailbox: SignIn, sealed: string): Promise<string | undefined> {
  const { mailbox_id } = mailbox;
  const { refreshTokenGrant } = await import('openid-client');
  try {
    const answer = await refreshTokenGrant(
      await configurationOf(outside, mailbox),
      openToken(outside, sealed, mailbox_id),
    );
    return (await storeTokens(outside, mailbox_id, answer, sealed)) ? answer.access_token : undefined;
  } catch (error) {
    const { message, isFinal } = refusalOf(error);
    const { affected } = await outside.db.update(
      MailboxToken,
      { mailbox_id, refresh_token: sealed },
      { refreshing_until: null, last_error: message, ...(isFinal && { refresh_token: null, access_token: null }) },
    );
    if (affected === 0) return undefined;
    throw new MailboxAway(message, { cause: error });
  }
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string | undefined;
  readonly expires_in?: number | undefined;
  readonly refresh_token_expires_in?: unknown;
}

const HOUR_SECONDS = 3600;

/**
 * Stores the tokens of a response, sealed. If the provider sends no new refresh token, the previous one is kept.
 * @param used the sealed refresh token that was exchanged; the tokens are stored only if it is still the current one
 * @returns whether they were stored
 */
export async function storeTokens(ctx: Context, mailbox_id: number, given: Tokens, used?: string): Promise<boolean> {
  const now = ctx.app.clock.now();
  const ends = Number(given.refresh_token_expires_in);
  const { affected } = await ctx.db.update(
    MailboxToken,
    { mailbox_id, ...(used !== undefined && { refresh_token: used }) },
    {
      access_token: sealToken(ctx, given.access_token, mailbox_id),
      expires_at: plus(now, { seconds: given.expires_in ?? HOUR_SECONDS }),
      ...(given.refresh_token && { refresh_token: sealToken(ctx, given.refresh_token, mailbox_id) }),
      ...(ends > 0 && { refresh_expires_at: plus(now, { seconds: ends }) }),
      refreshing_until: null,
      last_error: null,
    },
  );
  return affected > 0;
}

const sealedFor = (mailbox_id: number): string => `mailbox ${mailbox_id} token`;
const sealToken = ({ app }: Context, token: string, mailbox_id: number): string =>
  app.vault.seal(token, sealedFor(mailbox_id));
const openToken = ({ app }: Context, sealed: string, mailbox_id: number): string =>
  app.vault.open(sealed, sealedFor(mailbox_id));

/** Errors that can only be resolved by signing in again. */
const ENDED: ReadonlySet<string> = new Set([
  'invalid_grant',
  'interaction_required',
  'login_required',
  'consent_required',
]);

/** Describes why a provider rejects a token, and whether only a new sign-in helps. */
export function refusalOf(error: unknown): { message: string; isFinal: boolean } {
  const { error: code, error_description: words } = error as { error?: unknown; error_description?: unknown };
  if (typeof code !== 'string')
    return {
      message: `The provider is not responding: ${messageOf(error)}`,
      isFinal: false,
    };
  const said = typeof words === 'string' ? words.split(/[\r\n]/)[0] : code;
  if (ENDED.has(code)) return { message: `Sign in again: ${said}`.slice(0, 500), isFinal: true };
  return { message: `The provider refuses it: ${said}`.slice(0, 500), isFinal: false };
}

/** The mailbox's provider: its endpoints and scopes. */
export interface Provider {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly issuer: string;
  readonly scope: string;
  /** Further parameters of the authorization request. */
  readonly more: Readonly<Record<string, string>>;
}

const scopes = {
  microsoft: {
    imap: ['IMAP.AccessAsUser.All', 'SMTP.Send'].map((each) => `https://outlook.office.com/${each}`),
    api: ['Mail.ReadWrite', 'Mail.Send', 'Mail.ReadWrite.Shared', 'Mail.Send.Shared'].map(
      (each) => `https://graph.microsoft.com/${each}`,
    ),
  },
  google: { imap: ['https://mail.google.com/'], api: ['https://www.googleapis.com/auth/gmail.modify'] },
} as const;

/**
 * Returns the mailbox's provider.
 * @throws Error for a mailbox with a password
 */
export function providerOf({ app }: Context, { sign_in, protocol, tenant }: SignIn): Provider {
  const { mailMicrosoftLoginUrl, mailGoogleLoginUrl, mailGoogleTokenUrl } = app.config;
  if (sign_in === 'microsoft') {
    const base = `${bare(mailMicrosoftLoginUrl)}/${encodeURIComponent(tenant)}/oauth2/v2.0`;
    return {
      issuer: bare(mailMicrosoftLoginUrl),
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      scope: ['offline_access', ...scopes.microsoft[protocol]].join(' '),
      more: {},
    };
  }
  if (sign_in === 'google')
    return {
      issuer: bare(mailGoogleLoginUrl),
      authorization_endpoint: `${bare(mailGoogleLoginUrl)}/o/oauth2/v2/auth`,
      token_endpoint: `${bare(mailGoogleTokenUrl)}/token`,
      scope: scopes.google[protocol].join(' '),
      // Without these, Google sends a refresh token only at the first sign-in.
      more: { access_type: 'offline', prompt: 'consent' },
    };
  throw new Error('The mailbox has a password');
}

const bare = (url: string): string => url.replace(/\/+$/, '');

/** Returns the OAuth client of a mailbox. Its requests go through the egress guard. */
export async function configurationOf(ctx: Context, mailbox: SignIn): Promise<Configuration> {
  const openid = await import('openid-client');
  const { scope: _scope, more: _more, ...server } = providerOf(ctx, mailbox);
  const secret = openSecret(ctx, mailbox, 'client_secret');
  const client = new openid.Configuration(server, mailbox.client_id, {}, openid.ClientSecretPost(secret));
  const request: CustomFetch = async (url, { method, headers, body }) => {
    const text = body instanceof URLSearchParams ? { body: body.toString() } : {};
    const answer = await ctx.app.egress.request(url, { method, headers, ...text });
    return new Response(answer.body, answer);
  };
  client[openid.customFetch] = request;
  if (server.token_endpoint.startsWith('http:')) openid.allowInsecureRequests(client);
  return client;
}
