// Creating, changing and deleting mailboxes. Settings are tested before they are stored.
import {
  by,
  change,
  create,
  In,
  invalid,
  IsNull,
  Not,
  normalised,
  plus,
  record,
  remove,
  view,
  z,
  type Context,
} from '@keelson/core';
import { commonVariables, ServerAway, signatureVariables, smtpWay, type MailWay } from '@keelson/core/mail';
import { EgressRefused } from '@keelson/core/security';
import { templateProblem } from '@keelson/core/system';
import { listActiveJobTypes } from '@keelson/modules/tickets';
import {
  Mailbox,
  MailboxCanary,
  MailboxConsent,
  MailboxState,
  MailboxToken,
  type outgoings,
  type protocols,
  type securities,
  type signIns,
} from './entities.ts';
import { imapSource, type MailboxServer } from './imap.ts';
import { MailboxAway, type MailSource, type Position } from './source.ts';
import { accessTokenOf, secretFor } from './tokens.ts';
import { apiClient, type TokenOf } from './api-client.ts';
import { gmailSource, gmailWay } from './gmail.ts';
import { graphSource, graphWay, type GraphInbox } from './graph.ts';

const MOST = 50;
const verbs = { create: 'Added', update: 'Changed', delete: 'Removed' } as const;

export const Mailboxes = record(Mailbox, {
  title: 'Mailbox',
  call: ({ name }) => name,
  log: {
    describe: (action, { address }) => `${verbs[action]} mailbox ${address}`,
    omit: ['password', 'smtp_password', 'client_secret'],
  },
  sorts: { mailbox_id: by('mailbox_id') },
  order: 'asc',
  erased: { active: false, password: null, smtp_password: null, client_secret: null },
});

const states = ['ok', 'failing', 'off', 'new', 'signed_out'] as const;

export const MailboxItem = view(Mailboxes, {
  more: (its) => ({
    has_password: its.from(z.boolean(), ['password'], ({ password }) => password !== null && password !== ''),
    has_smtp_password: its.from(z.boolean(), ['smtp_password'], ({ smtp_password }) => smtp_password !== null),
    has_client_secret: its.from(z.boolean(), ['client_secret'], ({ client_secret }) => client_secret !== null),
    /** When somebody signed in to it; null for a password. */
    signed_in_at: its.lookup(z.iso.datetime().nullable(), 'mailbox_id', signedInAt, null),
    /** How long mails take to arrive; null without canaries. */
    lag_seconds: its.lookup(z.int().nullable(), 'mailbox_id', lagOf, null),
    late_since: its.lookup(z.iso.datetime().nullable(), 'mailbox_id', lateSince, null),
    last_success_at: its.lookup(z.iso.datetime().nullable(), 'mailbox_id', lastSuccess, null),
    last_error: its.lookup(z.string().nullable(), 'mailbox_id', lastError, null),
    state: its.lookup(z.enum(states), 'mailbox_id', stateOf, 'new'),
  }),
});

async function readStates({ db }: Context, mailbox_id: readonly number[]) {
  const rows = await db.findBy(MailboxState, { mailbox_id: In([...mailbox_id]) });
  return new Map(rows.map((each) => [each.mailbox_id, each]));
}

async function lagOf(ctx: Context, ids: readonly number[]) {
  return new Map([...(await readStates(ctx, ids))].map(([id, each]) => [id, each.lag_seconds]));
}

async function lateSince(ctx: Context, ids: readonly number[]) {
  return new Map([...(await readStates(ctx, ids))].map(([id, each]) => [id, each.late_since]));
}

async function lastSuccess(ctx: Context, ids: readonly number[]) {
  return new Map([...(await readStates(ctx, ids))].map(([id, each]) => [id, each.last_success_at]));
}

/** Returns the last error of failing mailboxes. */
async function lastError(ctx: Context, ids: readonly number[]) {
  return new Map(
    [...(await readStates(ctx, ids))].map(([id, each]) => [id, each.failing_since === null ? null : each.last_error]),
  );
}

/** Returns when somebody signed in to mailboxes, and whether that lasts. */
const readTokens = ({ db }: Context, ids: readonly number[]) => db.findBy(MailboxToken, { mailbox_id: In([...ids]) });

async function signedInAt(ctx: Context, ids: readonly number[]) {
  const valid = (await readTokens(ctx, ids)).filter((each) => each.refresh_token !== null);
  return new Map(valid.map((each) => [each.mailbox_id, each.consented_at]));
}

async function stateOf(ctx: Context, ids: readonly number[]) {
  const signedIn = await signedInAt(ctx, ids);
  const boxes = await ctx.db.findBy(Mailbox, { mailbox_id: In([...ids]) });
  const known = await readStates(ctx, ids);
  return new Map(
    boxes.map(({ mailbox_id, active, sign_in }) => {
      const its = known.get(mailbox_id);
      const isOut = sign_in !== 'password' && !signedIn.has(mailbox_id);
      const state = !active
        ? 'off'
        : isOut
          ? 'signed_out'
          : its?.failing_since
            ? 'failing'
            : its?.last_success_at
              ? 'ok'
              : 'new';
      return [mailbox_id, state] as const;
    }),
  );
}

export interface MailboxFields {
  readonly name: string;
  readonly address: string;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly security?: (typeof securities)[number] | undefined;
  readonly username: string;
  readonly authserv_id?: string | undefined;
  readonly job_type?: string | null | undefined;
  readonly priority?: number | null | undefined;
  readonly active?: boolean | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly sign_in?: (typeof signIns)[number] | undefined;
  readonly protocol?: (typeof protocols)[number] | undefined;
  readonly tenant?: string | undefined;
  readonly client_id?: string | undefined;
  readonly sender_name?: string | undefined;
  readonly canary?: boolean | undefined;
  readonly signature?: string | undefined;
  readonly outgoing?: (typeof outgoings)[number] | undefined;
  readonly smtp_host?: string | undefined;
  readonly smtp_port?: number | undefined;
  readonly smtp_security?: (typeof securities)[number] | undefined;
  readonly smtp_username?: string | undefined;
}

interface Secrets {
  readonly password?: string | undefined;
  readonly smtp_password?: string | undefined;
  readonly client_secret?: string | undefined;
}

/** Adds a mailbox after test sign-ins. Opens its own transaction. @throws invalid() with the server's message */
export async function createMailbox(outside: Context, given: MailboxFields & Secrets) {
  const wanted = { ...given, outgoing: given.outgoing ?? 'installation' };
  checkSignature(wanted.signature);
  checkSignIn(wanted, wanted.client_secret !== undefined);
  const { password, sign_in = 'password' } = wanted;
  if (sign_in === 'password' && !password) throw invalid('password is required');
  // One that people sign in to is tried once they have.
  checkServer(wanted);
  checkOutgoing(wanted);
  const at =
    password && sign_in === 'password'
      ? await orInvalid(() => imapSource(() => locate(outside, { ...wanted, password })).peek())
      : undefined;
  const { smtp_host = '', smtp_port = 587, smtp_security = 'starttls', smtp_username = '' } = wanted;
  const sending = { ...wanted, smtp_host, smtp_port, smtp_security, smtp_username, password: password ?? '' };
  await trySending(outside, sending, sign_in);
  return outside.transaction(async (ctx) => {
    if ((await ctx.db.countBy(Mailbox, { deleted_at: IsNull() })) >= MOST)
      throw invalid(`There can be at most ${MOST} mailboxes`);
    await checkJobType(ctx, wanted.job_type);
    await checkAddresses(ctx, [wanted.address, ...(wanted.aliases ?? [])]);
    return addMailbox(ctx, wanted, at);
  });
}

/** Adds a mailbox without testing it. Reading starts at `at`. */
export async function addMailbox(
  ctx: Context,
  { password, smtp_password, client_secret, aliases, ...fields }: MailboxFields & Secrets,
  at: Position = { uid_validity: '', last_uid: 0, cursor: null },
): Promise<Mailbox> {
  const mailbox = await create(
    ctx,
    Mailboxes,
    { ...fields, host: fields.host ?? '', aliases: aliases ? [...aliases] : null },
    {
      // The seal includes the id, so the passwords cannot be inserted with the row.
      async store(row) {
        const { mailbox_id } = row;
        row.password = seal(ctx, mailbox_id, password ?? '');
        row.smtp_password = smtp_password ? sealSmtp(ctx, mailbox_id, smtp_password) : null;
        row.client_secret = client_secret ? ctx.app.vault.seal(client_secret, secretFor(mailbox_id)) : null;
        const sealed = { smtp_password: row.smtp_password, client_secret: row.client_secret };
        await ctx.db.update(Mailbox, { mailbox_id }, { password: row.password, ...sealed });
      },
    },
  );
  await ctx.db.insert(MailboxState, { mailbox_id: mailbox.mailbox_id, ...at });
  return mailbox;
}

/** Changes a mailbox after test sign-ins with the new settings. Opens its own transaction. @throws as createMailbox */
export async function changeMailbox(
  outside: Context,
  before: Mailbox,
  { password, smtp_password, client_secret, aliases, ...wanted }: Partial<MailboxFields> & Secrets,
) {
  const after = { ...before, ...defined(wanted) };
  const isMoved = (...names: (keyof Mailbox)[]) => names.some((each) => after[each] !== before[each]);
  const isSignedIn = after.sign_in !== 'password';
  if (!isSignedIn && isMoved('host', 'username', 'sign_in') && !password)
    throw invalid('password is required when the server or username changes');
  if (isMoved('smtp_host', 'smtp_username') && before.smtp_password !== null && !smtp_password && after.smtp_username)
    throw invalid('smtp_password is required when the server or username changes');
  const isShared = !isSignedIn && after.outgoing === 'smtp' && after.smtp_username === '';
  checkSignIn(after, client_secret !== undefined || before.client_secret !== null);
  if (isMoved('client_id', 'tenant', 'sign_in') && isSignedIn && before.client_secret !== null && !client_secret)
    throw invalid('client_secret is required for another application');
  if (isShared && (before.outgoing !== 'smtp' || isMoved('smtp_host', 'smtp_username')) && !password)
    throw invalid('password is required to use it at smtp_host, too');
  checkSignature(wanted.signature);
  const opened = password || openPassword(outside, before);
  checkServer(after);
  checkOutgoing(after);
  const isElsewhere =
    isMoved('sign_in', 'protocol', 'tenant', 'username') || (after.protocol === 'imap' && isMoved('host'));
  const isSentElsewhere = isMoved('outgoing', 'smtp_host', 'smtp_username');
  // A token is given only to the servers that the person has signed in for.
  const goesToSmtp = after.protocol === 'imap' && after.outgoing === 'smtp' && after.smtp_username === '';
  const isOver =
    isElsewhere || isMoved('client_id') || client_secret !== undefined || (isSignedIn && goesToSmtp && isSentElsewhere);
  if (after.active && !isSignedIn)
    await orInvalid(() => imapSource(() => locate(outside, { ...after, password: opened })).peek());
  const secret = smtp_password || openSmtpPassword(outside, before);
  const isSentAnew =
    isSentElsewhere ||
    isElsewhere ||
    isMoved('smtp_port', 'smtp_security') ||
    [password, smtp_password].some((each) => each !== undefined);
  // Not for other changes: while its server is away, a mailbox can be changed and switched off.
  if (after.active && (isSentAnew || !before.active))
    await trySending(outside, { ...after, password: opened, smtp_password: secret }, after.sign_in);
  return outside.transaction(async (ctx) => {
    const { mailbox_id } = before;
    await checkJobType(ctx, wanted.job_type);
    await checkAddresses(ctx, [after.address, ...(aliases ?? before.aliases ?? [])], mailbox_id);
    const sealed = {
      ...(password && { password: seal(ctx, mailbox_id, password) }),
      ...(smtp_password && { smtp_password: sealSmtp(ctx, mailbox_id, smtp_password) }),
      ...(after.smtp_username === '' && { smtp_password: null }),
      ...(client_secret && { client_secret: ctx.app.vault.seal(client_secret, secretFor(mailbox_id)) }),
    };
    if (isElsewhere) await ctx.db.update(MailboxState, { mailbox_id, uid_validity: Not('') }, startElsewhere(after));
    if (isMoved('active', 'canary')) await forgetCanaries(ctx, mailbox_id);
    if (isOver) await ctx.db.delete(MailboxToken, { mailbox_id });
    return change(ctx, Mailboxes, before, { ...wanted, ...(aliases && { aliases: [...aliases] }), ...sealed });
  });
}

/**
 * Where reading starts in another inbox: since the last success (`sinceOf`). No UIDVALIDITY is 'moved', and no history of
 * Gmail reaches back to 1, while without a cursor Gmail would start at its newest mail.
 */
const startElsewhere = ({ sign_in, protocol }: Mailbox) =>
  ({
    uid_validity: 'moved',
    last_uid: 0,
    cursor: sign_in === 'google' && protocol === 'api' ? '1' : null,
    busy_until: null,
  }) as const;

/** Those that were sent before do not come back for sure, and their absence says nothing. */
async function forgetCanaries({ db }: Context, mailbox_id: number): Promise<void> {
  await db.update(MailboxState, { mailbox_id }, { late_since: null });
  await db.delete(MailboxCanary, { mailbox_id, arrived_at: IsNull() });
}

/** Removes a mailbox with its sign-in, and those under way. Runs in a transaction. */
export async function removeMailbox(ctx: Context, mailbox: Mailbox): Promise<void> {
  const { mailbox_id } = mailbox;
  await remove(ctx, Mailboxes, mailbox);
  await ctx.db.delete(MailboxToken, { mailbox_id });
  await ctx.db.delete(MailboxConsent, { mailbox_id });
}

/** @throws invalid() naming what is missing to sign in with a provider */
function checkSignIn(
  {
    sign_in = 'password',
    protocol = 'imap',
    ...given
  }: Partial<Pick<MailboxFields, 'sign_in' | 'protocol' | 'tenant' | 'client_id'>>,
  hasSecret: boolean,
) {
  if (sign_in === 'password' && protocol === 'api')
    throw invalid('sign_in must be microsoft or google for protocol api');
  if (sign_in === 'password') return;
  if (sign_in === 'microsoft' && !/^[\w.-]{1,255}$/.test(given.tenant ?? ''))
    throw invalid('tenant must be the id or a domain of the directory');
  if (!given.client_id) throw invalid('client_id is required');
  if (!hasSecret) throw invalid('client_secret is required');
}

/** @throws invalid() unless the mailbox names the server to read it from */
function checkServer({ protocol, host }: Partial<Pick<MailboxFields, 'protocol' | 'host'>>): void {
  if (protocol !== 'api' && !host) throw invalid('host is required');
}

/** @throws invalid() unless a mailbox that sends over a mail server of its own names it */
function checkOutgoing({
  outgoing,
  protocol,
  smtp_host,
}: Partial<Pick<MailboxFields, 'outgoing' | 'protocol' | 'smtp_host'>>): void {
  if (outgoing === 'smtp' && protocol !== 'api' && !smtp_host) throw invalid('smtp_host is required');
}

type Account = Pick<MailboxFields, 'host' | 'port' | 'security' | 'username'> & { readonly password: string };

/** Looks up the server of an account. @throws EgressRefused */
async function locate(
  { app }: Context,
  { host = '', port = 993, security = 'tls', username, password }: Account,
): Promise<MailboxServer> {
  return { host, port, security, username, password, address: await app.egress.locate(host, port) };
}

/** Returns the inbox of a mailbox as a source of mails. */
export async function sourceOf(ctx: Context, mailbox: Mailbox): Promise<MailSource> {
  const since = await sinceOf(ctx, mailbox);
  if (mailbox.protocol === 'api') {
    const inbox = inboxOf(ctx, mailbox, since);
    return mailbox.sign_in === 'google' ? gmailSource(inbox) : graphSource(inbox);
  }
  return imapSource(async (rejected) => {
    const credentials =
      mailbox.sign_in === 'password'
        ? { password: openPassword(ctx, mailbox) }
        : { password: '', accessToken: await accessTokenOf(ctx, mailbox, rejected) };
    return orAway(async () => ({ ...(await locate(ctx, { ...mailbox, ...credentials })), ...credentials }));
  }, since);
}

/** Checks that an access token is for the account of a mailbox, where its provider tells. @throws MailboxAway */
export async function checkAccount(ctx: Context, mailbox: Mailbox, token: string): Promise<void> {
  if (mailbox.sign_in !== 'google' || mailbox.protocol !== 'api') return;
  await gmailSource(inboxOf(ctx, mailbox, mailbox.created_at, () => Promise.resolve(token))).peek();
}

/** Longer than the difference of any two clocks, and than a mail takes to arrive. */
const OVERLAP = { days: -2 } as const;

/** Returns since when mails are listed if the position is lost. What is stored already is left out. */
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

/** @throws MailboxAway for a server that is unknown or not allowed */
async function orAway<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new MailboxAway(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

type Outgoing = Pick<Mailbox, 'smtp_host' | 'smtp_port' | 'smtp_security' | 'smtp_username' | 'username'> & {
  readonly outgoing: Mailbox['outgoing'];
  readonly protocol?: Mailbox['protocol'] | undefined;
  readonly password: string;
  readonly smtp_password?: string | undefined;
};

/** Signs in to the mail server of a mailbox that sends over one of its own. @throws invalid() */
async function trySending(ctx: Context, account: Outgoing, sign_in: Mailbox['sign_in']): Promise<void> {
  if (account.outgoing !== 'smtp' || account.protocol === 'api') return;
  // Tried once somebody has signed in.
  if (sign_in !== 'password' && account.smtp_username === '') return;
  try {
    await wayOver(ctx, account).attempt();
  } catch (error) {
    if (error instanceof ServerAway) throw invalid(`Mails cannot be sent over smtp_host: ${error.message}`);
    throw error;
  }
}

/** Returns the way over the mail server of a mailbox. */
function wayOver(ctx: Context, account: Outgoing, tokenOf?: () => Promise<string>): MailWay {
  const { smtp_host: host, smtp_port: port, smtp_security, smtp_username, username } = account;
  const own = smtp_username !== '';
  const [user, password] = own ? [smtp_username, account.smtp_password ?? ''] : [username, account.password];
  const server = async () => {
    const address = await ctx.app.egress.locate(host, port).catch((error: unknown) => {
      throw new ServerAway(error instanceof Error ? error.message : String(error), { cause: error });
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

/** Returns a mailbox's own way for mails; undefined if they go over the installation's server. */
export function wayOf(ctx: Context, mailbox: Mailbox): MailWay | undefined {
  if (mailbox.outgoing !== 'smtp') return undefined;
  if (mailbox.protocol === 'api') {
    const inbox = inboxOf(ctx, mailbox, mailbox.created_at);
    return mailbox.sign_in === 'google' ? gmailWay(inbox) : graphWay(inbox);
  }
  const smtp_password = openSmtpPassword(ctx, mailbox);
  const account = { ...mailbox, password: openPassword(ctx, mailbox), smtp_password };
  return wayOver(ctx, account, mailbox.sign_in === 'password' ? undefined : () => tokenOrAway(ctx, mailbox));
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

/** Returns the addresses of a mailbox, the first one first. */
export const addressesOf = ({ address, aliases }: Pick<Mailbox, 'address' | 'aliases'>): string[] => [
  address,
  ...(aliases ?? []),
];

/** Two mailboxes with one address would answer for each other. @throws invalid() */
async function checkAddresses(ctx: Context, wanted: readonly string[], mailbox_id = 0): Promise<void> {
  const keys = wanted.map(normalised);
  if (new Set(keys).size < keys.length) throw invalid('aliases must differ from each other and from address');
  const others = await ctx.db.findBy(Mailbox, { mailbox_id: Not(mailbox_id), deleted_at: IsNull() });
  const taken = new Set(others.flatMap(addressesOf).map(normalised));
  const twice = wanted.find((each) => taken.has(normalised(each)));
  if (twice !== undefined) throw invalid(`${twice} already belongs to another mailbox`);
}

const LONGEST_SIGNATURE = 4000;

function checkSignature(signature = ''): void {
  const known = new Set<string>([...signatureVariables, ...commonVariables]);
  if (signature.length > LONGEST_SIGNATURE)
    throw invalid(`signature must have at most ${LONGEST_SIGNATURE} characters`);
  const problem = signature === '' ? undefined : templateProblem(signature, known);
  if (problem !== undefined) throw invalid(`signature ${problem}`);
}

/** Returns the read position of a mailbox. */
export async function readPosition({ db }: Context, { mailbox_id }: Mailbox): Promise<Position> {
  const { uid_validity = '', last_uid = 0, cursor = null } = (await db.findOneBy(MailboxState, { mailbox_id })) ?? {};
  return { uid_validity, last_uid, cursor };
}

const sealedFor = (mailbox_id: number): string => `mailbox ${mailbox_id} password`;
const seal = ({ app }: Context, mailbox_id: number, password: string): string =>
  app.vault.seal(password, sealedFor(mailbox_id));
const openPassword = ({ app }: Context, { mailbox_id, password }: Mailbox): string =>
  password === null ? '' : app.vault.open(password, sealedFor(mailbox_id));

const smtpSealedFor = (mailbox_id: number): string => `mailbox ${mailbox_id} smtp password`;
const sealSmtp = ({ app }: Context, mailbox_id: number, password: string): string =>
  app.vault.seal(password, smtpSealedFor(mailbox_id));
const openSmtpPassword = ({ app }: Context, { mailbox_id, smtp_password }: Mailbox): string =>
  smtp_password === null ? '' : app.vault.open(smtp_password, smtpSealedFor(mailbox_id));

async function checkJobType(ctx: Context, job_type: string | null | undefined): Promise<void> {
  if (!job_type) return;
  const known = await listActiveJobTypes(ctx);
  if (!known.some(({ name }) => name === job_type)) throw invalid('job_type must be an active category');
}

async function orInvalid<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EgressRefused) throw invalid(`host is refused: ${error.message}`);
    if (isUnknownHost(error)) throw invalid('host is unknown: no address is found for it');
    if (error instanceof MailboxAway) throw invalid(`Could not read the mailbox: ${error.message}`);
    throw error;
  }
}

const isUnknownHost = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN');

const defined = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;
