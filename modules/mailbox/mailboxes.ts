// Creating, changing and deleting mailboxes. Settings are tested before they are stored.
import { by, change, create, In, invalid, IsNull, record, view, z, type Context } from '@keelson/core';
import { listActiveJobTypes } from '@keelson/modules/tickets';
import { Mailbox, MailboxState, type securities } from './entities.ts';
import { MailboxAway, peek, type MailboxServer, type Position } from './imap.ts';

const MOST = 50;
const verbs = { create: 'Added', update: 'Changed', delete: 'Removed' } as const;

export const Mailboxes = record(Mailbox, {
  title: 'Mailbox',
  call: ({ name }) => name,
  log: { describe: (action, { address }) => `${verbs[action]} mailbox ${address}`, omit: ['password'] },
  sorts: { mailbox_id: by('mailbox_id') },
  order: 'asc',
  erased: { active: false, password: null },
});

const states = ['ok', 'failing', 'off', 'new'] as const;

export const MailboxItem = view(Mailboxes, {
  more: (its) => ({
    has_password: its.from(z.boolean(), ['password'], ({ password }) => password !== null && password !== ''),
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
}

/** Adds a mailbox after a test sign-in. Opens its own transaction. @throws invalid() with the server's message */
export async function createMailbox(outside: Context, given: MailboxFields & { readonly password: string }) {
  const { password, ...fields } = given;
  const at = await orInvalid(peek({ ...fields, password }));
  return outside.transaction(async (ctx) => {
    if ((await ctx.db.countBy(Mailbox, { deleted_at: IsNull() })) >= MOST)
      throw invalid(`There can be at most ${MOST} mailboxes`);
    await checkJobType(ctx, fields.job_type);
    return addMailbox(ctx, given, at);
  });
}

/** Adds a mailbox without testing it. Reading starts at `at`. */
export async function addMailbox(
  ctx: Context,
  { password, ...fields }: MailboxFields & { readonly password: string },
  at: Position = { uid_validity: '', last_uid: 0 },
): Promise<Mailbox> {
  const mailbox = await create(ctx, Mailboxes, fields, {
    // The seal includes the id, so the password cannot be inserted with the row.
    async store(row) {
      row.password = seal(ctx, row.mailbox_id, password);
      await ctx.db.update(Mailbox, { mailbox_id: row.mailbox_id }, { password: row.password });
    },
  });
  await ctx.db.insert(MailboxState, { mailbox_id: mailbox.mailbox_id, ...at });
  return mailbox;
}

/** Changes a mailbox after a test sign-in with the new settings. Opens its own transaction. @throws as createMailbox */
export async function changeMailbox(
  outside: Context,
  before: Mailbox,
  { password, ...wanted }: Partial<MailboxFields> & { readonly password?: string | undefined },
) {
  const after = { ...before, ...defined(wanted) };
  const elsewhere = after.host !== before.host || after.username !== before.username;
  if (elsewhere && !password) throw invalid('password is required for another server or user name');
  if (after.active) await orInvalid(peek({ ...after, password: password || openPassword(outside, before) }));
  return outside.transaction(async (ctx) => {
    await checkJobType(ctx, wanted.job_type);
    const sealed = password ? { password: seal(ctx, before.mailbox_id, password) } : {};
    return change(ctx, Mailboxes, before, { ...wanted, ...sealed });
  });
}

/** Returns the connection settings of a mailbox. */
export const serverOf = (ctx: Context, mailbox: Mailbox): MailboxServer => ({
  ...mailbox,
  password: openPassword(ctx, mailbox),
});

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

async function checkJobType(ctx: Context, job_type: string | null | undefined): Promise<void> {
  if (!job_type) return;
  const known = await listActiveJobTypes(ctx);
  if (!known.some(({ name }) => name === job_type)) throw invalid('job_type must be an active category');
}

async function orInvalid<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof MailboxAway) throw invalid(`The mailbox cannot be read: ${error.message}`);
    throw error;
  }
}

const defined = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;
