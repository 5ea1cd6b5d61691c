// Signing in to a mailbox with Microsoft or Google: an administrator follows a link, grants consent, and returns to the
// console with a code (authorization code flow with PKCE).
import { conflict, invalid, LessThan, plus, secret, type Context } from '@keelson/core';
import { Mailbox, MailboxConsent, MailboxState, MailboxToken } from '../entities.ts';
import { checkAccount, sourceOf } from './reach.ts';
import { hashOf } from './secrets.ts';
import { MailboxAway } from './source.ts';
import { configurationOf, providerOf, refusalOf, storeTokens } from './tokens.ts';

/** How long a person has to grant consent. */
const VALID = { minutes: -10 } as const;

/** The redirect URI; it must be registered with the provider. */
export const redirectUri = ({ app }: Pick<Context, 'app'>): string =>
  `${app.config.baseUrl.replace(/\/+$/, '')}/admin/mailboxes/signed-in`;

/**
 * Returns the URL at which the caller grants consent.
 * @throws conflict() for a mailbox with a password
 */
export async function beginConsent(ctx: Context, mailbox: Mailbox): Promise<{ url: string }> {
  if (mailbox.sign_in === 'password') throw conflict('The mailbox signs in with a password');
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
  const [state, verifier] = [secret(), secret()];
  const { scope, more } = providerOf(ctx, mailbox);
  const url = buildAuthorizationUrl(await configurationOf(ctx, mailbox), {
    redirect_uri: redirectUri(ctx),
    scope,
    state,
    login_hint: mailbox.address,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  });
  await ctx.transaction(async (inside) => {
    await inside.db.delete(MailboxConsent, { created_at: LessThan(plus(ctx.now, VALID)) });
    await inside.db.insert(MailboxConsent, {
      state_key: hashOf(state),
      mailbox_id: mailbox.mailbox_id,
      author: authorOf(ctx),
      verifier: ctx.app.vault.seal(verifier, 'mailbox consent'),
      created_at: ctx.now,
    });
  });
  return { url: url.href };
}

interface Reply {
  readonly state: string;
  readonly code: string;
}

/**
 * Exchanges an authorization code for tokens and tests the mailbox. Opens its own transactions.
 * @returns the mailbox. @throws invalid() with the reason
 */
export async function finishConsent(outside: Context, { state, code }: Reply): Promise<Mailbox> {
  // Remove it first: a state is valid once, whatever the outcome.
  const begun = await outside.transaction(async (ctx) => {
    const row = await ctx.db.findOneBy(MailboxConsent, { state_key: hashOf(state) });
    if (row) await ctx.db.delete(MailboxConsent, { state_key: row.state_key });
    return row;
  });
  if (!begun || begun.author !== authorOf(outside) || begun.created_at < plus(outside.now, VALID))
    throw invalid('The sign-in has expired or belongs to someone else: start again from the mailbox’s page');
  const { mailbox_id } = begun;
  const mailbox = await outside.db.findOneBy(Mailbox, { mailbox_id });
  if (!mailbox || mailbox.deleted_at !== null) throw invalid('The mailbox was removed');
  const answer = await exchange(
    outside,
    mailbox,
    { state, code },
    outside.app.vault.open(begun.verifier, 'mailbox consent'),
  );
  await orInvalid(checkAccount(outside, mailbox, answer.access_token));
  if (!answer.refresh_token) throw invalid('The provider sent no refresh token: allow offline access');
  await outside.transaction(async (ctx) => {
    await ctx.db.delete(MailboxToken, { mailbox_id });
    await ctx.db.insert(MailboxToken, { mailbox_id, consented_at: ctx.now });
    await storeTokens(ctx, mailbox_id, answer);
    const description = `Signed in to mailbox ${mailbox.address}`;
    ctx.record({ action: 'update', entity_type: 'mailbox', entity_id: mailbox_id, description });
  });
  await beginReading(outside, mailbox);
  return mailbox;
}

async function orInvalid(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw error instanceof MailboxAway ? invalid(error.message) : error;
  }
}

async function exchange(ctx: Context, mailbox: Mailbox, { state, code }: Reply, pkceCodeVerifier: string) {
  const { authorizationCodeGrant } = await import('openid-client');
  const back = new URL(redirectUri(ctx));
  back.search = new URLSearchParams({ code, state }).toString();
  try {
    return await authorizationCodeGrant(await configurationOf(ctx, mailbox), back, {
      pkceCodeVerifier,
      expectedState: state,
    });
  } catch (error) {
    throw invalid(refusalOf(error).message);
  }
}

/** Mails from before the first sign-in are left alone. */
async function beginReading(outside: Context, mailbox: Mailbox): Promise<void> {
  const { mailbox_id } = mailbox;
  const state = await outside.db.findOneBy(MailboxState, { mailbox_id });
  try {
    const at = await (await sourceOf(outside, mailbox)).peek();
    const isNew = state?.uid_validity === '';
    await outside.db.update(MailboxState, { mailbox_id }, { ...(isNew && at), failing_since: null, last_error: null });
  } catch (error) {
    if (!(error instanceof MailboxAway)) throw error;
    throw invalid(`You are signed in, but the mailbox cannot be read: ${error.message}`);
  }
}

const authorOf = ({ author }: Context): string => `${author.type} ${author.id}`;
