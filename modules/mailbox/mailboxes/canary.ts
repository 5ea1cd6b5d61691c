// Canaries: mails that the installation sends to its own mailboxes every ten minutes. They are recognised by a sealed
// header, deleted from the server, and never become tickets. A canary that does not arrive in time raises an alert.
import { IsNull, LessThan, MoreThan, Not, plus, secondsBetween, sendMail, type Context } from '@keelson/core';
import { eachApart, explained, newId } from '@keelson/core/kit';
import { MailRefused, sendProbe, ServerAway } from '@keelson/core/mail';
import { Technician } from '@keelson/modules/directory';
import { Mailbox, MailboxCanary, MailboxState } from '../entities.ts';
import { MailboxLate, MailboxRecovered } from '../events.ts';
import { MailboxLateMail } from '../mail-templates.ts';
import { senderId } from './senders.ts';

const HEADER = 'X-Keelson-Canary';
const SEALED = 'mailbox canary';
/** With one canary every ten minutes, an outage is noticed within fifteen. */
const LATE = { minutes: -4 } as const;
const DUE = { minutes: 4 } as const;
/** When to raise the alert even if the mailbox has not been read since. */
const LATEST = { minutes: -15 } as const;
const KEPT = { days: -7 } as const;

/** Sends a canary to each mailbox that has canaries enabled. */
export async function sendCanaries(outside: Context): Promise<void> {
  const boxes = await outside.db.findBy(Mailbox, { active: true, canary: true, deleted_at: IsNull() });
  const send = async ({ mailbox_id, name, address }: Mailbox) => {
    const canary_id = newId();
    await outside.db.insert(MailboxCanary, { canary_id, mailbox_id, sent_at: outside.app.clock.now() });
    const headers = { [HEADER]: outside.app.vault.seal(canary_id, SEALED) };
    const text = 'This mail was sent to see whether mails arrive. It is removed by itself.';
    await sendProbe(outside, { to: { name, address }, subject: 'Canary', text, headers }).catch((error: unknown) => {
      if (!(error instanceof ServerAway || error instanceof MailRefused)) throw error;
      return outside.db.update(MailboxCanary, { canary_id }, { error: error.message.slice(0, 500) });
    });
  };
  await outside.db.delete(MailboxCanary, { sent_at: LessThan(plus(outside.now, KEPT)) });
  await eachApart(boxes, nameOf, send);
}

const nameOf = ({ address }: Mailbox): string => `mailbox ${address}`;

/** Returns the canary for a mail; undefined if it is not a genuine canary. */
export function canaryOf({ app }: Context, source: Buffer): string | undefined {
  const head = source.toString('latin1', 0, 16_384).split(/\r?\n\r?\n/)[0] ?? '';
  const [, sealed] = new RegExp(`^${HEADER}:\\s*(\\S+)`, 'im').exec(head) ?? [];
  if (sealed === undefined) return undefined;
  try {
    return app.vault.open(sealed, SEALED);
  } catch {
    // Anyone can add the header, but only we can seal it.
    return undefined;
  }
}

/** Records the arrival of a canary and resolves the alert. */
export async function canaryArrived(ctx: Context, mailbox: Mailbox, canary_id: string): Promise<void> {
  const { mailbox_id, address } = mailbox;
  const canary = await ctx.db.findOneBy(MailboxCanary, { canary_id, mailbox_id });
  if (!canary || canary.arrived_at !== null) return;
  const arrived_at = ctx.app.clock.now();
  const lag_seconds = Math.max(0, Math.round(secondsBetween(canary.sent_at, arrived_at)));
  await ctx.db.update(MailboxCanary, { canary_id }, { arrived_at });
  const state = await ctx.db.findOneBy(MailboxState, { mailbox_id });
  await ctx.db.update(MailboxState, { mailbox_id }, { lag_seconds, late_since: null });
  if (state?.late_since) ctx.emit(MailboxRecovered, { mailbox_id, address, lag_seconds });
}

/** Raises an alert for mailboxes whose canaries have not arrived in time. */
export async function checkCanaries(outside: Context): Promise<void> {
  const boxes = await outside.db.findBy(Mailbox, { active: true, canary: true, deleted_at: IsNull() });
  await eachApart(boxes, nameOf, (each) => checkCanary(outside, each));
}

async function checkCanary(outside: Context, mailbox: Mailbox): Promise<void> {
  const now = outside.app.clock.now();
  const { mailbox_id } = mailbox;
  const [last] = await outside.db.find(MailboxCanary, {
    where: { mailbox_id, arrived_at: Not(IsNull()) },
    order: { sent_at: 'DESC' },
    take: 1,
  });
  const [missing] = await outside.db.find(MailboxCanary, {
    where: { mailbox_id, arrived_at: IsNull(), sent_at: MoreThan(last?.sent_at ?? mailbox.created_at) },
    order: { sent_at: 'ASC' },
    take: 1,
  });
  if (!missing || missing.sent_at > plus(now, LATE)) return;
  const { last_success_at = null, failing_since = null } =
    (await outside.db.findOneBy(MailboxState, { mailbox_id })) ?? {};
  // It may have arrived but not been read yet.
  const isRead = last_success_at !== null && last_success_at > plus(missing.sent_at, DUE);
  const isKnown = failing_since !== null || missing.error !== null;
  if (!isRead && !isKnown && missing.sent_at > plus(now, LATEST)) return;
  await outside.transaction((ctx) => raiseAlarm(ctx, mailbox, missing.sent_at, missing.error));
}

async function raiseAlarm(ctx: Context, mailbox: Mailbox, since: string, error: string | null): Promise<void> {
  const { mailbox_id, address } = mailbox;
  const { affected } = await ctx.db.update(MailboxState, { mailbox_id, late_since: IsNull() }, { late_since: since });
  if (affected === 0) return;
  const state = await ctx.db.findOneBy(MailboxState, { mailbox_id });
  const reason = error
    ? `The test mail could not be sent: ${error}`
    : (state?.last_error ?? explained('A test mail to it has not come back.'));
  ctx.emit(MailboxLate, { mailbox_id, address, since, reason });
  // Do not send the alert through the failing mailbox.
  const others = {
    active: true,
    deleted_at: IsNull(),
    mailbox_id: Not(mailbox_id),
    outgoing: Not('reply_only'),
  } as const;
  const [other] = await ctx.db.find(Mailbox, { where: others, order: { mailbox_id: 'ASC' }, take: 1 });
  const data = {
    address,
    since: `${since.slice(0, 16).replace('T', ' ')} UTC`,
    reason: { explained: reason },
    mailbox_id,
  };
  const administrators = { role: 'administrator', active: true, deleted_at: IsNull() } as const;
  for (const { name, email } of await ctx.db.findBy(Technician, administrators))
    sendMail(ctx, MailboxLateMail, {
      to: { name, address: email },
      data,
      ...(other && { sender: senderId(other) }),
    });
}
