// Creating, changing and deleting mailboxes. Settings are tested before they are stored.
import { by, change, create, In, invalid, IsNull, Not, normalised, record, view, z, type Context } from '@keelson/core';
import { commonVariables, ServerAway, signatureVariables, smtpWay, type MailWay } from '@keelson/core/mail';
import { EgressRefused } from '@keelson/core/security';
import { templateProblem } from '@keelson/core/system';
import { listActiveJobTypes } from '@keelson/modules/tickets';
import { Mailbox, MailboxState, type outgoings, type securities } from './entities.ts';
import { MailboxAway, peek, type MailboxServer, type Position } from './imap.ts';

const MOST = 50;
const verbs = { create: 'Added', update: 'Changed', delete: 'Removed' } as const;

export const Mailboxes = record(Mailbox, {
  title: 'Mailbox',
  call: ({ name }) => name,
  log: {
    describe: (action, { address }) => `${verbs[action]} mailbox ${address}`,
    omit: ['password', 'smtp_password'],
  },
  sorts: { mailbox_id: by('mailbox_id') },
  order: 'asc',
  erased: { active: false, password: null, smtp_password: null },
});

const states = ['ok', 'failing', 'off', 'new'] as const;

export const MailboxItem = view(Mailboxes, {
  more: (its) => ({
    has_password: its.from(z.boolean(), ['password'], ({ password }) => password !== null && password !== ''),
    has_smtp_password: its.from(z.boolean(), ['smtp_password'], ({ smtp_password }) => smtp_password !== null),
    last_success_at: its.lookup(z.iso.datetime().nullable(), 'mailbox_id', lastSuccess, null),
    last_error: its.lookup(z.string().nullable(), 'mailbox_id', lastError, null),
    state: its.lookup(z.enum(states), 'mailbox_id', stateOf, 'new'),
  }),
});

async function readStates({ db }: Context, mailbox_id: readonly number[]) {
  const rows = await db.findBy(MailboxState, { mailbox_id: In([...mailbox_id]) });
  return new Map(rows.map((each) => [each.mailbox_id, each]));
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

async function stateOf(ctx: Context, ids: readonly number[]) {
  const boxes = await ctx.db.findBy(Mailbox, { mailbox_id: In([...ids]) });
  const known = await readStates(ctx, ids);
  return new Map(
    boxes.map(({ mailbox_id, active }) => {
      const its = known.get(mailbox_id);
      const state = !active ? 'off' : its?.failing_since ? 'failing' : its?.last_success_at ? 'ok' : 'new';
      return [mailbox_id, state] as const;
    }),
  );
}

export interface MailboxFields {
  readonly name: string;
  readonly address: string;
  readonly host: string;
  readonly port: number;
  readonly security: (typeof securities)[number];
  readonly username: string;
  readonly authserv_id?: string | undefined;
  readonly job_type?: string | null | undefined;
  readonly priority?: number | null | undefined;
  readonly active?: boolean | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly sender_name?: string | undefined;
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
}

/** Adds a mailbox after test sign-ins. Opens its own transaction. @throws invalid() with the server's message */
export async function createMailbox(outside: Context, given: MailboxFields & Secrets & { readonly password: string }) {
  const wanted = { ...given, outgoing: given.outgoing ?? 'installation' };
  checkSignature(wanted.signature);
  const at = await orInvalid(async () => peek(await locate(outside, wanted)));
  const { smtp_host = '', smtp_port = 587, smtp_security = 'starttls', smtp_username = '' } = wanted;
  await trySending(outside, { ...wanted, smtp_host, smtp_port, smtp_security, smtp_username });
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
  { password, smtp_password, aliases, ...fields }: MailboxFields & Secrets,
  at: Position = { uid_validity: '', last_uid: 0 },
): Promise<Mailbox> {
  const mailbox = await create(
    ctx,
    Mailboxes,
    { ...fields, aliases: aliases ? [...aliases] : null },
    {
      // The seal includes the id, so the passwords cannot be inserted with the row.
      async store(row) {
        const { mailbox_id } = row;
        row.password = seal(ctx, mailbox_id, password ?? '');
        row.smtp_password = smtp_password ? sealSmtp(ctx, mailbox_id, smtp_password) : null;
        const { password: sealed, smtp_password: sealedSmtp } = row;
        await ctx.db.update(Mailbox, { mailbox_id }, { password: sealed, smtp_password: sealedSmtp });
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
  { password, smtp_password, aliases, ...wanted }: Partial<MailboxFields> & Secrets,
) {
  const after = { ...before, ...defined(wanted) };
  const isMoved = (...names: (keyof Mailbox)[]) => names.some((each) => after[each] !== before[each]);
  if (isMoved('host', 'username') && !password) throw invalid('password is required for another server or user name');
  if (isMoved('smtp_host', 'smtp_username') && before.smtp_password !== null && !smtp_password && after.smtp_username)
    throw invalid('smtp_password is required for another server or user name');
  const isShared = after.outgoing === 'smtp' && after.smtp_username === '';
  if (isShared && (before.outgoing !== 'smtp' || isMoved('smtp_host', 'smtp_username')) && !password)
    throw invalid('password is required to use it at smtp_host, too');
  checkSignature(wanted.signature);
  const opened = password || openPassword(outside, before);
  if (after.active) await orInvalid(async () => peek(await locate(outside, { ...after, password: opened })));
  const secret = smtp_password || openSmtpPassword(outside, before);
  await trySending(outside, { ...after, password: opened, smtp_password: secret });
  return outside.transaction(async (ctx) => {
    const { mailbox_id } = before;
    await checkJobType(ctx, wanted.job_type);
    await checkAddresses(ctx, [after.address, ...(aliases ?? before.aliases ?? [])], mailbox_id);
    const sealed = {
      ...(password && { password: seal(ctx, mailbox_id, password) }),
      ...(smtp_password && { smtp_password: sealSmtp(ctx, mailbox_id, smtp_password) }),
      ...(after.smtp_username === '' && { smtp_password: null }),
    };
    return change(ctx, Mailboxes, before, { ...wanted, ...(aliases && { aliases: [...aliases] }), ...sealed });
  });
}

type Account = Pick<MailboxFields, 'host' | 'port' | 'security' | 'username'> & { readonly password: string };

/** Looks up the server of an account. @throws EgressRefused */
async function locate({ app }: Context, { host, port, security, username, password }: Account): Promise<MailboxServer> {
  return { host, port, security, username, password, address: await app.egress.locate(host, port) };
}

/** Returns the connection settings of a mailbox. @throws MailboxAway when the server is unknown or not allowed */
export async function serverOf(ctx: Context, mailbox: Mailbox): Promise<MailboxServer> {
  try {
    return await locate(ctx, { ...mailbox, password: openPassword(ctx, mailbox) });
  } catch (error) {
    throw new MailboxAway(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

type Outgoing = Pick<Mailbox, 'smtp_host' | 'smtp_port' | 'smtp_security' | 'smtp_username' | 'username'> & {
  readonly outgoing: Mailbox['outgoing'];
  readonly password: string;
  readonly smtp_password?: string | undefined;
};

/** Signs in to the mail server of a mailbox that sends over one of its own. @throws invalid() */
async function trySending(ctx: Context, account: Outgoing): Promise<void> {
  if (account.outgoing !== 'smtp') return;
  if (account.smtp_host === '') throw invalid('smtp_host is required');
  try {
    await wayOver(ctx, account).attempt();
  } catch (error) {
    if (error instanceof ServerAway) throw invalid(`Mails cannot be sent over smtp_host: ${error.message}`);
    throw error;
  }
}

/** Returns the way over the mail server of a mailbox. */
function wayOver(ctx: Context, account: Outgoing): MailWay {
  const { smtp_host: host, smtp_port: port, smtp_security, smtp_username, username } = account;
  const own = smtp_username !== '';
  const [user, password] = own ? [smtp_username, account.smtp_password ?? ''] : [username, account.password];
  const server = async () => {
    const address = await ctx.app.egress.locate(host, port).catch((error: unknown) => {
      throw new ServerAway(error instanceof Error ? error.message : String(error), { cause: error });
    });
    const name = new URL(ctx.app.config.baseUrl).hostname;
    return smtpWay({ host, address, port, secure: smtp_security === 'tls', user, password, name });
  };
  return {
    deliver: async (message) => (await server()).deliver(message),
    attempt: async () => (await server()).attempt(),
  };
}

/** Returns a mailbox's own way for mails; undefined if they go over the installation's server. */
export function wayOf(ctx: Context, mailbox: Mailbox): MailWay | undefined {
  if (mailbox.outgoing !== 'smtp') return undefined;
  const smtp_password = openSmtpPassword(ctx, mailbox);
  return wayOver(ctx, { ...mailbox, password: openPassword(ctx, mailbox), smtp_password });
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
  const { uid_validity = '', last_uid = 0 } = (await db.findOneBy(MailboxState, { mailbox_id })) ?? {};
  return { uid_validity, last_uid };
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
