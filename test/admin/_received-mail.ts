// Mails that tests store as if they had arrived in a mailbox.
import { addMailbox, MailboxMessage, storeMail, type NewMail } from '@keelson/modules/mailbox';
import type { TestApp } from '@keelson/testing';

/** Adds a mailbox that is never read, and returns its id. */
export async function addSilentMailbox(
  app: TestApp,
  given: {
    readonly address: string;
    readonly aliases?: readonly string[];
    readonly authserv_id?: string;
    readonly note_address?: string;
    readonly reopen_days?: number;
  },
): Promise<number> {
  const server = { host: '127.0.0.1', port: 1, security: 'none', username: 'u', password: 'p' } as const;
  const { mailbox_id } = await app.run((ctx) => addMailbox(ctx, { name: 'Support', ...given, ...server }));
  return mailbox_id;
}

interface Arriving extends Partial<Pick<NewMail, 'from' | 'subject'>> {
  readonly mailbox_id: number;
  readonly message_id: string;
  /** Header lines, without the Message-ID. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** Stores a mail and returns it once it is processed. */
export async function receiveMail(
  app: TestApp,
  { mailbox_id, message_id, headers, body, from = { name: '', address: '' }, subject = '' }: Arriving,
): Promise<MailboxMessage> {
  const lines = [...headers, `Message-ID: ${message_id}`, '', body.replaceAll('\n', '\r\n'), ''];
  const source = Buffer.from(lines.join('\r\n'));
  await app.run((ctx) => storeMail(ctx, mailbox_id, { source, size: source.length, from, subject, message_id }));
  await app.app.outbox.drain();
  const message = await app.run((ctx) => ctx.db.findOneBy(MailboxMessage, { message_id }));
  return message ?? Promise.reject(new Error('Nothing was received'));
}
