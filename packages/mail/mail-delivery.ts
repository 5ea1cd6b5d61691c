// Sends stored mails (mail.ts) through the event outbox: at least once, each by one process at a time.
import { buffer } from 'node:stream/consumers';
import type { Db } from '@keelson/database/db.ts';
import { removeBefore } from '@keelson/database/prune.ts';
import { sql } from '@keelson/database/statement/sql.ts';
import { job, type Job } from '@keelson/events/job/job.ts';
import { subscriber, type Subscriber } from '@keelson/events/subscriber.ts';
import { eachApart, partsApart } from '@keelson/kit/each-apart.ts';
import { messageOf } from '@keelson/kit/message-of.ts';
import { newId } from '@keelson/kit/random.ts';
import { plus } from '@keelson/kit/time.ts';
import { withTimeout } from '@keelson/kit/timeout.ts';
import type { Spoken, Wording } from '@keelson/kit/wording.ts';
import { FileMissing } from '@keelson/storage';
import { In, IsNull, LessThan } from 'typeorm';
import { compose, renderMail, wordsOf, type Attached } from './compose.ts';
import type { MailContext, Mailbox, MailSender, Sending } from './mail-context.ts';
import { mailPage } from './mail-page.ts';
import type { MailTemplate } from './mail-template.ts';
import type { Words } from './mail-words.ts';
import { Mail, MailAttachment, MailQueued, sealedFor, type StoredFile } from './mail.ts';
import { MailRefused, ServerAway } from './smtp.ts';
import { StoredTemplate } from './stored-template.ts';

const MINUTE = 60;
const HOUR = 3600;
/** Greylisting ends within minutes, a full mailbox within days. */
const RETRY_SCHEDULE: readonly number[] = [0, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, 24 * HOUR];
/** Shorter than the delivery's deadline of 30 s, so that a mail that misses it at its last attempt fails. */
const LONGEST_SECONDS = 28;
/** Mails that waited longer for a server are not sent, because they are no longer relevant. */
const STALE = { days: -7 } as const;
const KEPT = { days: -90 } as const;
/** Longer than a mail waits for a server or is retried. */
const ATTACHED = { days: -10 } as const;
/** Maximum total size of a message's files; encoded, they stay below 10 MB, which most servers accept. */
const MOST_BYTES = 7 * 1024 * 1024;
const MOST_FILES = 20;
const BATCH = 200;
const BATCHES = 10;

/** Sends a mail. Retries or fails it if it is rejected; holds it while the server is down. */
export const mailDelivery: Subscriber = subscriber(
  'core.send-mail',
  MailQueued,
  async (ctx: MailContext, { data: { mail_id } }, { attempts }) => {
    const mail = await ctx.db.findOneBy(Mail, { mail_id, state: 'waiting' });
    if (!mail) return;
    try {
      await withTimeout(LONGEST_SECONDS, () => attempt(ctx, mail), 'Sending took too long', { background: true });
    } catch (error) {
      const message = messageOf(error);
      if (isFinal(error) || attempts >= RETRY_SCHEDULE.length) return fail(ctx, mail, message);
      await ctx.db.update(Mail, { mail_id, state: 'waiting' }, { error: message.slice(0, 500) });
      throw error;
    }
  },
  { outside: true, retrySchedule: RETRY_SCHEDULE },
);

async function attempt(ctx: MailContext, mail: Mail): Promise<void> {
  const { mail_id } = mail;
  const post = ctx.app.mail;
  const sender = await post.senderOf(ctx, mail.sender);
  const by = mail.sender !== null && sender?.way ? { id: mail.sender, way: sender.way } : undefined;
  const template = post.templates.get(mail.template);
  const stored = await ctx.db.findOneBy(StoredTemplate, { key: mail.template });
  if (!template || mail.data === null) return markMail(ctx.db, mail_id, 'failed', 'No template with this name');
  if (stored?.active === false) return markMail(ctx.db, mail_id, 'skipped', null);
  // Technicians are warned when they write, and may know better. Sign-in links, and documents such as invoices, must
  // not be suppressed by mistake.
  const isPersonal = mail.headers?.from_name !== undefined || mail.attachment_id !== null || template.fixed;
  const stop = isPersonal ? undefined : await post.stopped(ctx, mail.recipient_address);
  if (stop !== undefined) return markMail(ctx.db, mail_id, 'skipped', stop);
  if ((!by && !(await post.server(ctx))) || post.isAway(by?.id)) return hold(ctx.db, mail_id, post.problem(by?.id));
  try {
    const wording = ctx.app.wording(await ctx.app.languageOf(ctx, { address: mail.recipient_address }));
    const words = sender?.words.get(mail.template) ?? wordsOf(wording, stored, template);
    await send(ctx, mail, { template, words, sender, by, wording });
  } catch (error) {
    if (error instanceof ServerAway) return hold(ctx.db, mail_id, error.message);
    throw error;
  }
  await ctx.db.update(Mail, { mail_id }, { state: 'sent', sent_at: ctx.app.clock.now(), data: null, error: null });
}

/** Sends a failed or held mail again, with all attempts; false if it is neither. */
export async function retryMail(ctx: MailContext, mail_id: string): Promise<boolean> {
  const { affected: again } = await ctx.db.update(
    Mail,
    { mail_id, state: In(['failed', 'held']) },
    { state: 'waiting', error: null },
  );
  if (again > 0) ctx.emit(MailQueued, { mail_id });
  return again > 0;
}

export const mailJobs: readonly Job[] = [
  job('core.release-mail', '*/20 * * * * *', releaseHeld, { title: 'Send postponed emails' }),
  job(
    'core.prune-mail',
    '50 3 * * *',
    async ({ app, now }: MailContext) => {
      const tasks = [
        { name: 'mails', run: () => removeBefore(app.database, Mail, 'created_at', plus(now, KEPT)) },
        {
          name: 'attachments',
          run: () => removeBefore(app.database, MailAttachment, 'created_at', plus(now, ATTACHED)),
        },
      ];
      await partsApart(tasks);
    },
    { title: 'Delete old sent emails' },
  ),
];

/** Releases held mails once their sender's server responds again. */
async function releaseHeld(ctx: MailContext): Promise<void> {
  const { mail, database } = ctx.app;
  const waiting = await database.query<{ sender: string | null }>(
    sql`SELECT DISTINCT sender FROM mail WHERE state = 'held'`,
  );
  const release = async (id: string | null) => {
    const way = (await mail.senderOf(ctx, id))?.way;
    const by = id !== null && way ? { id, way } : undefined;
    if ((!by && !(await mail.server(ctx))) || !(await mail.answers(ctx, by))) return;
    const held = heldOf(id);
    const late = { state: 'failed', error: 'No mail server for more than 7 days' } as const;
    await database.update(Mail, { ...held, created_at: LessThan(plus(ctx.now, STALE)) }, late);
    for (let i = 0; i < BATCHES; i++) if ((await ctx.transaction((inside) => releaseSome(inside, id))) < BATCH) break;
  };
  await eachApart(
    waiting,
    ({ sender }) => `mails of ${sender ?? 'the installation'}`,
    ({ sender }) => release(sender),
  );
}

const heldOf = (sender: string | null) => ({ state: 'held', sender: sender ?? IsNull() }) as const;

async function releaseSome(ctx: MailContext, sender: string | null): Promise<number> {
  const order = { created_at: 'ASC' } as const;
  const held = await ctx.db.find(Mail, {
    where: heldOf(sender),
    order,
    take: BATCH,
    lock: { mode: 'pessimistic_write' },
  });
  if (held.length === 0) return 0;
  await ctx.db.update(Mail, { mail_id: In(held.map((each) => each.mail_id)), state: 'held' }, { state: 'waiting' });
  for (const { mail_id } of held) ctx.emit(MailQueued, { mail_id });
  return held.length;
}

interface Prepared {
  readonly template: MailTemplate;
  readonly words: Words;
  readonly wording: Wording;
  readonly sender: MailSender | undefined;
  readonly by: Sending | undefined;
}

async function send(ctx: MailContext, mail: Mail, { template, words, sender, by, wording }: Prepared) {
  const to = { name: mail.recipient_name, address: mail.recipient_address };
  const values = JSON.parse(ctx.app.vault.open(mail.data ?? '', sealedFor(mail.mail_id))) as Record<string, Spoken>;
  const from = sender ? await fromOf(ctx, mail, sender) : await ctx.app.mail.sender(ctx);
  const agent_name = mail.headers?.from_name ?? '';
  const signed = sender ? { signed: { signature: sender.signature, from, agent_name } } : {};
  const { attached, left } = await readFiles(ctx, mail.files ?? [], by?.way.mostBytes ?? MOST_BYTES);
  const rendered = await renderMail(ctx, template, { words, values, to, wording, left, ...signed });
  const own = mail.attachment_id === null ? [] : [await readAttachment(ctx, mail.attachment_id)];
  const attachments = [...own, ...attached];
  const bytes = await compose({ mail_id: mail.mail_id, from, to, rendered, attachments, headers: mail.headers });
  await ctx.app.mail.deliver(ctx, { from: from.address, to: to.address, bytes }, by);
}

/** Returns the From address: the sender's, or its alias named by the mail. */
async function fromOf(ctx: MailContext, { headers }: Mail, { from, aliases }: MailSender): Promise<Mailbox> {
  const alias = aliases.find((each) => each === headers?.from_address);
  return { address: alias ?? from.address, name: from.name || (await ctx.app.mail.brand(ctx)).company_name };
}

/**
 * Sends a test mail immediately. Call it outside a transaction.
 * @throws ServerAway, MailRefused
 */
export async function sendTestMail(ctx: MailContext, to: Mailbox): Promise<void> {
  const { company_name } = await ctx.app.mail.brand(ctx);
  const text = `This is a test mail. Outgoing mail works.`;
  await sendProbe(ctx, { to, subject: `Test mail of ${company_name}`, text });
}

/** A mail of the installation that is sent without being stored. */
export interface Probe {
  readonly to: Mailbox;
  readonly subject: string;
  readonly text: string;
  /** Additional headers that identify it. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a mail immediately without storing it. Call it outside a transaction.
 * @throws ServerAway, MailRefused
 */
export async function sendProbe(ctx: MailContext, { to, subject, text, headers: further }: Probe): Promise<void> {
  const brand = await ctx.app.mail.brand(ctx);
  const from = await ctx.app.mail.sender(ctx);
  const rendered = {
    subject,
    text,
    html: mailPage(subject, text, brand, { baseUrl: ctx.app.config.baseUrl, language: 'en' }),
  };
  const bytes = await compose({ mail_id: newId(), from, to, rendered, further });
  await ctx.app.mail.deliver(ctx, { from: from.address, to: to.address, bytes });
}

async function readAttachment(ctx: MailContext, attachment_id: string): Promise<Attached> {
  const row = await ctx.db.findOneBy(MailAttachment, { attachment_id });
  if (!row) throw new MailRefused('The attached file is no longer there', true);
  const content = ctx.app.vault.open(row.content, `mail attachment ${attachment_id}`);
  return { filename: row.name, contentType: row.type, content: Buffer.from(content, 'base64') };
}

/** Reads the files that fit into a message, and returns the names of the others. Files deleted since are left out. */
async function readFiles({ app }: MailContext, files: readonly StoredFile[], mostBytes: number) {
  const attached: Attached[] = [];
  const left: string[] = [];
  let room = mostBytes;
  for (const { stored_as, filename, content_type: contentType, size } of files) {
    if (size > room || attached.length === MOST_FILES) {
      left.push(filename);
      continue;
    }
    const content = await app.storage.open(stored_as).then(buffer, undefinedIfMissing);
    if (!content) continue;
    attached.push({ filename, contentType, content });
    room -= size;
  }
  return { attached, left };
}

function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof FileMissing)) throw error;
}

const isFinal = (error: unknown): boolean => error instanceof MailRefused && error.final;

async function fail(ctx: MailContext, { mail_id, template }: Mail, error: string): Promise<void> {
  ctx.log.error({ mail_id, template, error }, 'mail: could not be delivered and was parked');
  await markMail(ctx.db, mail_id, 'failed', error);
}

async function markMail(db: Db, mail_id: string, state: 'failed' | 'skipped', error: string | null): Promise<void> {
  await db.update(Mail, { mail_id }, { state, error: error?.slice(0, 500) ?? null });
}

async function hold(db: Db, mail_id: string, why: string): Promise<void> {
  await db.update(Mail, { mail_id, state: 'waiting' }, { state: 'held', error: why.slice(0, 500) });
}
