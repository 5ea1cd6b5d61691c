// How to reach a mailbox: the source of its incoming mails, and the transport of its outgoing ones.
import { invalid, plus, type Context } from '@keelson/core';
import { messageOf } from '@keelson/core/kit';
import { ServerAway, smtpWay, type MailWay } from '@keelson/core/mail';
import { EgressRefused } from '@keelson/core/security';
import { MailboxState, type Mailbox, type securities } from '../entities.ts';
import { apiClient, type TokenOf } from './api-client.ts';
import { gmailSource, gmailWay } from './gmail.ts';
import { graphSource, graphWay, type GraphInbox } from './graph.ts';
import { imapSource, type MailboxServer } from './imap.ts';
import { openSecret } from './secrets.ts';
import { MailboxAway, MailboxBusy, type MailSource, type Position } from './source.ts';
import { accessTokenOf } from './tokens.ts';

interface Account {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly security?: (typeof securities)[number] | undefined;
  readonly username: string;
  readonly password: string;
}

/**
 * Resolves the host name of an account's server.
 * @throws EgressRefused
 */
async function locate(
  { app }: Context,
  { host = '', port = 993, security = 'tls', username, password }: Account,
): Promise<MailboxServer> {
  return { host, port, security, username, password, address: await app.egress.locate(host, port) };
}

/**
 * Signs in to the server an account is read from. Returns the read position.
 * @throws invalid() with the server's message
 */
export async function tryReading(ctx: Context, account: Account): Promise<Position> {
  try {
    return await imapSource(() => locate(ctx, account)).peek();
  } catch (error) {
    if (error instanceof EgressRefused) throw invalid(`host is refused: ${error.message}`);
    if (isUnknownHost(error)) throw invalid('host is unknown: no address is found for it');
    if (error instanceof MailboxAway) throw invalid(`Could not read the mailbox: ${error.message}`);
    throw error;
  }
}

const isUnknownHost = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN');

/** Returns the inbox of a mailbox as a mail source. */
export async function sourceOf(ctx: Context, mailbox: Mailbox): Promise<MailSource> {
  const since = await sinceOf(ctx, mailbox);
  if (mailbox.protocol === 'api') {
    const inbox = inboxOf(ctx, mailbox, since);
    return mailbox.sign_in === 'google' ? gmailSource(inbox) : graphSource(inbox);
  }
  return imapSource(async (rejected) => {
    const credentials =
      mailbox.sign_in === 'password'
        ? { password: openSecret(ctx, mailbox, 'password') }
        : { password: '', accessToken: await accessTokenOf(ctx, mailbox, rejected) };
    return orAway(async () => ({ ...(await locate(ctx, { ...mailbox, ...credentials })), ...credentials }));
  }, since);
}

/**
 * Checks that an access token belongs to the mailbox's account, if the provider can tell.
 * @throws MailboxAway
 */
export async function checkAccount(ctx: Context, mailbox: Mailbox, token: string): Promise<void> {
  if (mailbox.sign_in !== 'google' || mailbox.protocol !== 'api') return;
  await gmailSource(inboxOf(ctx, mailbox, mailbox.created_at, () => Promise.resolve(token))).peek();
}

/** Longer than any clock skew or mail delivery time. */
const OVERLAP = { days: -2 } as const;

/** Returns the time from which mails are listed if the position is lost. Mails already stored are skipped. */
async function sinceOf({ db }: Context, { mailbox_id, created_at }: Mailbox): Promise<string> {
  const { last_success_at = null } = (await db.findOneBy(MailboxState, { mailbox_id })) ?? {};
  const last = last_success_at === null ? created_at : plus(last_success_at, OVERLAP);
  return last > created_at ? last : created_at;
}

function inboxOf(ctx: Context, mailbox: Mailbox, since: string, tokenOf?: TokenOf): GraphInbox {
  const { mailMicrosoftGraphUrl, mailGmailUrl } = ctx.app.config;
  const base = mailbox.sign_in === 'google' ? mailGmailUrl : mailMicrosoftGraphUrl;
  return { request: apiClient(ctx, mailbox, base, tokenOf), base, user: mailbox.username, since };
}

/** Returns the client for Microsoft Graph of a mailbox that signs in with Microsoft. */
export function graphClientOf(ctx: Context, mailbox: Mailbox) {
  const { request, base } = inboxOf(ctx, mailbox, mailbox.created_at);
  return { request, base: base.replace(/\/+$/, '') };
}

/**
 * Resolves a mail server.
 * @throws MailboxAway if it is unknown or not allowed
 */
async function orAway<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new MailboxAway(messageOf(error), { cause: error });
  }
}

type Outgoing = Pick<Mailbox, 'smtp_host' | 'smtp_port' | 'smtp_security' | 'smtp_username' | 'username'> & {
  readonly outgoing: Mailbox['outgoing'];
  readonly protocol?: Mailbox['protocol'] | undefined;
  readonly password: string;
  readonly smtp_password?: string | undefined;
};

/**
 * Signs in to the mailbox's own mail server.
 * @throws invalid()
 */
export async function trySending(ctx: Context, account: Outgoing, sign_in: Mailbox['sign_in']): Promise<void> {
  if (account.outgoing !== 'smtp' || account.protocol === 'api') return;
  // Tested once someone has signed in.
  if (sign_in !== 'password' && account.smtp_username === '') return;
  try {
    await wayOver(ctx, account).attempt();
  } catch (error) {
    if (error instanceof ServerAway) throw invalid(`Mails cannot be sent over smtp_host: ${error.message}`);
    throw error;
  }
}

/** Returns the SMTP transport of a mailbox. */
function wayOver(ctx: Context, account: Outgoing, tokenOf?: () => Promise<string>): MailWay {
  const { smtp_host: host, smtp_port: port, smtp_security, smtp_username, username } = account;
  const own = smtp_username !== '';
  const [user, password] = own ? [smtp_username, account.smtp_password ?? ''] : [username, account.password];
  const server = async () => {
    const address = await ctx.app.egress.locate(host, port).catch((error: unknown) => {
      throw new ServerAway(messageOf(error), { cause: error });
    });
    const name = new URL(ctx.app.config.baseUrl).hostname;
    const token = own || !tokenOf ? {} : { accessToken: await tokenOf() };
    return smtpWay({ host, address, port, secure: smtp_security === 'tls', user, password, name, ...token });
  };
  return {
    deliver: async (message) => (await server()).deliver(message),
    attempt: async () => (await server()).attempt(),
  };
}

/** Returns a mailbox's own transport; undefined if its mails go over the installation's server. */
export function wayOf(ctx: Context, mailbox: Mailbox): MailWay | undefined {
  if (mailbox.outgoing !== 'smtp') return undefined;
  if (mailbox.protocol === 'api') {
    const inbox = inboxOf(ctx, mailbox, mailbox.created_at);
    return withPauses(ctx, mailbox, mailbox.sign_in === 'google' ? gmailWay(inbox) : graphWay(inbox));
  }
  const smtp_password = openSecret(ctx, mailbox, 'smtp_password');
  const account = { ...mailbox, password: openSecret(ctx, mailbox, 'password'), smtp_password };
  return wayOver(ctx, account, mailbox.sign_in === 'password' ? undefined : () => tokenOrAway(ctx, mailbox));
}

/** Wraps a transport so that it respects the pauses requested by the provider, whether for reading or sending. */
function withPauses(ctx: Context, { mailbox_id }: Mailbox, way: MailWay): MailWay {
  const kept = async (work: () => Promise<void>) => {
    const now = ctx.app.clock.now();
    const { busy_until = null } = (await ctx.db.findOneBy(MailboxState, { mailbox_id })) ?? {};
    if (busy_until !== null && busy_until > now)
      throw new ServerAway('The provider limits requests: trying again later');
    try {
      await work();
    } catch (error) {
      const { cause } = error as { cause?: unknown };
      if (cause instanceof MailboxBusy)
        await ctx.db.update(MailboxState, { mailbox_id }, { busy_until: plus(now, { seconds: cause.seconds }) });
      throw error;
    }
  };
  return { ...way, deliver: (message) => kept(() => way.deliver(message)), attempt: () => kept(() => way.attempt()) };
}

/** @throws ServerAway */
async function tokenOrAway(ctx: Context, mailbox: Mailbox): Promise<string> {
  try {
    return await accessTokenOf(ctx, mailbox);
  } catch (error) {
    if (error instanceof MailboxAway) throw new ServerAway(error.message, { cause: error });
    throw error;
  }
}
