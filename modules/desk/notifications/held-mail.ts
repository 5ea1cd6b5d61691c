// Tells technicians that received mail waits for their decision: at the first one, and then once a day.
import { In, IsNull, MoreThan, plus, sendMail, type Context, type Timestamp } from '@keelson/core';
import { cutTo } from '@keelson/core/kit';
import { Technician } from '@keelson/modules/directory';
import { findHeld } from '@keelson/modules/mailbox';
import { Notification } from '../entities.ts';
import { MailHeldMail } from '../mail-templates.ts';
import { readReaders } from './mails.ts';
import { addNotification } from './notifications.ts';

const kind = 'mail_held';
const DAY = { days: -1 } as const;

export async function tellOfHeldMail(
  ctx: Context,
  { received_id }: { readonly received_id: number },
  at: Timestamp,
): Promise<void> {
  const held = await findHeld(ctx, received_id);
  // A colleague was faster.
  if (!held) return;
  const { from_name, from_address, subject, reason } = held.mail;
  const sender = from_name || from_address || '?';
  const told = held.isFirst ? new Set() : await readTold(ctx, at);
  const active = await ctx.db.find(Technician, {
    where: { active: true, deleted_at: IsNull() },
    order: { user_id: 'ASC' },
  });
  const technicians = active.filter(({ user_id }) => !told.has(user_id));
  const user_ids = technicians.map(({ user_id }) => user_id);
  if (user_ids.length === 0) return;
  await ctx.db.delete(Notification, { user_id: In(user_ids), kind, read_at: IsNull() });
  const about = { kind, type: 'mailbox_message', record_id: received_id } as const;
  const title = cutTo(subject || from_address, 300);
  for (const user_id of user_ids)
    await addNotification(ctx, { ...about, user_id, title, by_name: cutTo(sender, 255), created_at: at });
  const mail_url = `${ctx.app.config.baseUrl}/admin/received-mail/${received_id}`;
  const data = { sender, subject: subject || from_address, reason: { explained: reason }, mail_url };
  const readers = new Set((await readReaders(ctx, ['unassigned'])).map(({ user_id }) => user_id));
  for (const { user_id, name, email } of technicians)
    if (readers.has(user_id)) sendMail(ctx, MailHeldMail, { to: { name, address: email }, data });
}

/** Returns who was told within the last day. */
async function readTold({ db }: Context, at: Timestamp): Promise<Set<number>> {
  const told = await db.findBy(Notification, { kind, created_at: MoreThan(plus(at, DAY)) });
  return new Set(told.map(({ user_id }) => user_id));
}
