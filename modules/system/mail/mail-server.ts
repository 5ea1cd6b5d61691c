// Mail server set in the console, for installations without one in the environment.
import { conflict, invalid, z, type Context } from '@keelson/core';
import { changesBetween } from '@keelson/core/log';
import { MailRefused, sendTestMail, ServerAway, type MailServer } from '@keelson/core/mail';
import { MailServerFields, noMailServer, StoredMailServer } from '../settings.ts';

type Stored = z.infer<typeof StoredMailServer.shape>;

export const MailServerShape = z.object({
  /** `environment` means SMTP_URL, which takes precedence and cannot be changed in the console. */
  source: z.enum(['environment', 'console', 'none']),
  ...MailServerFields.partial().shape,
  has_password: z.boolean(),
  state: z.enum(['ok', 'off', 'failing']),
  /** Why mail cannot be sent. */
  problem: z.string().nullable(),
});

/** Settings from an administrator; without `password`, the stored one is kept. */
export type GivenServer = z.infer<typeof MailServerFields> & { readonly password?: string | undefined };

const sealedFor = 'mail server password';

/** Returns false also if the master key that sealed the password was given up. */
const hasPassword = ({ app }: Context, { password }: Pick<Stored, 'password'>): boolean => app.vault.knows(password);

/** Returns the server settings for core; undefined if none are set, or their password is lost. */
export async function mailServer(ctx: Context): Promise<MailServer | undefined> {
  const stored = await ctx.app.settings.get(ctx, StoredMailServer);
  const isLost = stored.password !== '' && !hasPassword(ctx, stored);
  return stored.host === '' || isLost ? undefined : serverOf(ctx, stored);
}

function serverOf({ app }: Context, { host, port, security, username, password, from_address, from_name }: Stored) {
  const open = password === '' ? '' : app.vault.open(password, sealedFor);
  return {
    smtp: { host, port, secure: security === 'tls', user: username, password: open },
    from: { address: from_address, name: from_name },
  };
}

/** Returns the server in use, without its password. */
export async function readMailServer(ctx: Context): Promise<z.infer<typeof MailServerShape>> {
  const { mail, settings } = ctx.app;
  const state = await mail.state(ctx);
  const problem = state === 'ok' ? null : mail.problem();
  if (mail.fixed) {
    const { smtp, from } = mail.fixed;
    const security = smtp.secure ? 'tls' : 'starttls';
    const { host, port, user: username } = smtp;
    const fields = { host, port, security, username, from_address: from.address, from_name: from.name } as const;
    return { source: 'environment', ...fields, has_password: smtp.password !== '', state, problem };
  }
  const stored = await settings.get(ctx, StoredMailServer);
  if (stored.host === '') return { source: 'none', has_password: false, state, problem };
  const { password, ...fields } = stored;
  return { source: 'console', ...fields, has_password: hasPassword(ctx, { password }), state, problem };
}

/**
 * Stores the server after a test sign-in. Opens its own transaction.
 * @throws invalid() with the server's message; conflict() if the environment defines one
 */
export async function changeMailServer(ctx: Context, { password, ...given }: GivenServer): Promise<void> {
  checkOurs(ctx);
  const before = await ctx.app.settings.get(ctx, StoredMailServer);
  const sealed = password === undefined ? keptPassword(ctx, before, given) : sealedPassword(ctx, password);
  const wanted = { ...given, password: sealed };
  await orInvalid(ctx.app.mail.attempt(serverOf(ctx, wanted)));
  await ctx.transaction((inside) => store(inside, wanted));
}

/** Keeps the password only for the same server and account. */
function keptPassword(ctx: Context, before: Stored, { host, username }: Pick<Stored, 'host' | 'username'>): string {
  if (!hasPassword(ctx, before) || username === '') return '';
  if (before.host !== host || before.username !== username)
    throw invalid('password is required when the server or username changes');
  return before.password;
}

const sealedPassword = ({ app }: Context, password: string): string =>
  password === '' ? '' : app.vault.seal(password, sealedFor);

/** Removes the server; mails are then queued. */
export async function removeMailServer(ctx: Context): Promise<void> {
  checkOurs(ctx);
  await store(ctx, noMailServer);
}

async function store(ctx: Context, wanted: Stored): Promise<void> {
  const { before, after } = await ctx.app.settings.change(ctx, StoredMailServer, () => wanted);
  const { password: was, ...old } = before;
  const { password: is, ...now } = after;
  const changes = changesBetween(old, now);
  if (Object.keys(changes).length === 0 && was === is) return;
  const description = now.host === '' ? 'Mail server removed' : `Mail server set to ${now.host}`;
  ctx.record({ action: 'update', entity_type: 'setting', entity_id: StoredMailServer.name, description, changes });
}

/** Sends the caller a test mail. @throws invalid() with the error */
export async function tryMail(ctx: Context, to: string): Promise<{ sent_to: string }> {
  await orInvalid(sendTestMail(ctx, { name: '', address: to }));
  return { sent_to: to };
}

function checkOurs({ app }: Context): void {
  if (app.mail.fixed) throw conflict('The mail server is set by SMTP_URL in the environment: change it there');
}

async function orInvalid(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ServerAway || error instanceof MailRefused)) throw error;
    throw invalid(`Could not connect to the mail server: ${error.message}`);
  }
}
