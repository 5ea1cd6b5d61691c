// Creating, changing and deleting mailboxes. Settings are tested before they are stored.
import { change, create, invalid, IsNull, Not, remove, type Context } from '@keelson/core';
import { commonVariables, signatureVariables } from '@keelson/core/mail';
import { templateProblem } from '@keelson/core/system';
import { Company } from '@keelson/modules/directory';
import { listActiveJobTypes } from '@keelson/modules/tickets';
import {
  Mailbox,
  MailboxCanary,
  MailboxConsent,
  MailboxState,
  MailboxSubscription,
  MailboxToken,
  type outgoings,
  type protocols,
  type securities,
  type signIns,
} from '../entities.ts';
import { tryReading, trySending } from '../servers/reach.ts';
import { openSecret, sealSecret } from '../servers/secrets.ts';
import type { Position } from '../servers/source.ts';
import { checkAddresses } from './addresses.ts';
import { Mailboxes } from './list.ts';

const MOST = 50;

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
  readonly company_number?: number | null | undefined;
  readonly active?: boolean | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly note_address?: string | null | undefined;
  readonly reopen_days?: number | undefined;
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

/**
 * Adds a mailbox after testing its sign-in. Opens its own transaction.
 * @throws invalid() with the server's message
 */
export async function createMailbox(outside: Context, given: MailboxFields & Secrets) {
  const wanted = { ...given, outgoing: given.outgoing ?? 'installation' };
  checkSignature(wanted.signature);
  checkSignIn(wanted, wanted.client_secret !== undefined);
  const { password, sign_in = 'password' } = wanted;
  if (sign_in === 'password' && !password) throw invalid('password is required');
  // Mailboxes with OAuth are tested once someone has signed in.
  checkServer(wanted);
  checkOutgoing(wanted);
  const at = password && sign_in === 'password' ? await tryReading(outside, { ...wanted, password }) : undefined;
  const { smtp_host = '', smtp_port = 587, smtp_security = 'starttls', smtp_username = '' } = wanted;
  const sending = { ...wanted, smtp_host, smtp_port, smtp_security, smtp_username, password: password ?? '' };
  await trySending(outside, sending, sign_in);
  return outside.transaction(async (ctx) => {
    if ((await ctx.db.countBy(Mailbox, { deleted_at: IsNull() })) >= MOST)
      throw invalid(`There can be at most ${MOST} mailboxes`);
    await checkJobType(ctx, wanted.job_type);
    await checkCompany(ctx, wanted.company_number);
    await checkAddresses(ctx, [
      wanted.address,
      ...(wanted.aliases ?? []),
      ...(wanted.note_address ? [wanted.note_address] : []),
    ]);
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
        row.password = sealSecret(ctx, row, ['password', password ?? '']);
        row.smtp_password = smtp_password ? sealSecret(ctx, row, ['smtp_password', smtp_password]) : null;
        row.client_secret = client_secret ? sealSecret(ctx, row, ['client_secret', client_secret]) : null;
        const sealed = { smtp_password: row.smtp_password, client_secret: row.client_secret };
        await ctx.db.update(Mailbox, { mailbox_id }, { password: row.password, ...sealed });
      },
    },
  );
  await ctx.db.insert(MailboxState, { mailbox_id: mailbox.mailbox_id, ...at });
  return mailbox;
}

/**
 * Changes a mailbox after testing the new settings. Opens its own transaction.
 * @throws as createMailbox
 */
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
    throw invalid('password is required to use it at smtp_host too');
  checkSignature(wanted.signature);
  const opened = password || openSecret(outside, before, 'password');
  checkServer(after);
  checkOutgoing(after);
  const isElsewhere =
    isMoved('sign_in', 'protocol', 'tenant', 'username') || (after.protocol === 'imap' && isMoved('host'));
  const isSentElsewhere = isMoved('outgoing', 'smtp_host', 'smtp_username');
  // A token is only sent to the servers for which the person signed in.
  const goesToSmtp = after.protocol === 'imap' && after.outgoing === 'smtp' && after.smtp_username === '';
  const isOver =
    isElsewhere || isMoved('client_id') || client_secret !== undefined || (isSignedIn && goesToSmtp && isSentElsewhere);
  if (after.active && !isSignedIn) await tryReading(outside, { ...after, password: opened });
  const secret = smtp_password || openSecret(outside, before, 'smtp_password');
  const isSentAnew =
    isSentElsewhere ||
    isElsewhere ||
    isMoved('smtp_port', 'smtp_security') ||
    [password, smtp_password].some((each) => each !== undefined);
  // Skipped for other changes: a mailbox can be changed and deactivated while its server is down.
  if (after.active && (isSentAnew || !before.active))
    await trySending(outside, { ...after, password: opened, smtp_password: secret }, after.sign_in);
  return outside.transaction(async (ctx) => {
    const { mailbox_id } = before;
    // Checked only when they change: a removed category or company does not block other changes.
    if (isMoved('job_type')) await checkJobType(ctx, after.job_type);
    if (isMoved('company_number')) await checkCompany(ctx, after.company_number);
    const notes = after.note_address ? [after.note_address] : [];
    await checkAddresses(ctx, [after.address, ...(aliases ?? before.aliases ?? []), ...notes], mailbox_id);
    const sealed = {
      ...(password && { password: sealSecret(ctx, before, ['password', password]) }),
      ...(smtp_password && { smtp_password: sealSecret(ctx, before, ['smtp_password', smtp_password]) }),
      ...(after.smtp_username === '' && { smtp_password: null }),
      ...(client_secret && { client_secret: sealSecret(ctx, before, ['client_secret', client_secret]) }),
    };
    if (isElsewhere) await ctx.db.update(MailboxState, { mailbox_id, uid_validity: Not('') }, startElsewhere(after));
    if (isMoved('active', 'canary')) await forgetCanaries(ctx, mailbox_id);
    if (isOver) {
      await ctx.db.delete(MailboxToken, { mailbox_id });
      await ctx.db.delete(MailboxSubscription, { mailbox_id });
    }
    return change(ctx, Mailboxes, before, { ...wanted, ...(aliases && { aliases: [...aliases] }), ...sealed });
  });
}

/**
 * Where reading starts after switching to a different inbox: since the last success (`sinceOf`). The value 'moved'
 * matches no UIDVALIDITY, and Gmail's history never reaches back to 1; without a cursor, Gmail would start at the
 * newest mail.
 */
const startElsewhere = ({ sign_in, protocol }: Mailbox) =>
  ({
    uid_validity: 'moved',
    last_uid: 0,
    cursor: sign_in === 'google' && protocol === 'api' ? '1' : null,
    busy_until: null,
  }) as const;

/** Canaries sent before the change may never arrive, which would mean nothing. */
async function forgetCanaries({ db }: Context, mailbox_id: number): Promise<void> {
  await db.update(MailboxState, { mailbox_id }, { late_since: null });
  await db.delete(MailboxCanary, { mailbox_id, arrived_at: IsNull() });
}

/** Removes a mailbox with its sign-in, including pending ones. Runs in a transaction. */
export async function removeMailbox(ctx: Context, mailbox: Mailbox): Promise<void> {
  const { mailbox_id } = mailbox;
  await remove(ctx, Mailboxes, mailbox);
  await ctx.db.delete(MailboxToken, { mailbox_id });
  await ctx.db.delete(MailboxConsent, { mailbox_id });
  await ctx.db.delete(MailboxSubscription, { mailbox_id });
}

/** @throws invalid() naming the missing settings for signing in with a provider */
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

/** @throws invalid() if the server to read from is missing */
function checkServer({ protocol, host }: Partial<Pick<MailboxFields, 'protocol' | 'host'>>): void {
  if (protocol !== 'api' && !host) throw invalid('host is required');
}

/** @throws invalid() if the mailbox sends over its own mail server but names none */
function checkOutgoing({
  outgoing,
  protocol,
  smtp_host,
}: Partial<Pick<MailboxFields, 'outgoing' | 'protocol' | 'smtp_host'>>): void {
  if (outgoing === 'smtp' && protocol !== 'api' && !smtp_host) throw invalid('smtp_host is required');
}

const LONGEST_SIGNATURE = 4000;

function checkSignature(signature = ''): void {
  const known = new Set<string>([...signatureVariables, ...commonVariables]);
  if (signature.length > LONGEST_SIGNATURE)
    throw invalid(`signature must have at most ${LONGEST_SIGNATURE} characters`);
  const problem = signature === '' ? undefined : templateProblem(signature, known);
  if (problem !== undefined) throw invalid(`signature ${problem}`);
}

async function checkJobType(ctx: Context, job_type: string | null | undefined): Promise<void> {
  if (!job_type) return;
  const known = await listActiveJobTypes(ctx);
  if (!known.some(({ name }) => name === job_type)) throw invalid('job_type must be an active category');
}

async function checkCompany({ db }: Context, company_number: number | null | undefined): Promise<void> {
  if (!company_number) return;
  if (!(await db.existsBy(Company, { company_number, deleted_at: IsNull() })))
    throw invalid('company_number must be an existing company');
}

const defined = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;
