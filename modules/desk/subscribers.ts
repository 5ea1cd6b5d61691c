import { Not, subscriber, type Context, type Timestamp } from '@keelson/core';
import { TechnicianSignedOut } from '@keelson/modules/accounts';
import { TicketRated } from '@keelson/modules/feedback';
import { TicketSlaBreached, TicketSlaWarned } from '@keelson/modules/levels';
import { MailHeld } from '@keelson/modules/mailbox';
import { TeamEscalated, TeamTicketAnswered } from '@keelson/modules/teams';
import { TicketAnswered, TicketConcern, TicketFollowed, TicketMentioned } from '@keelson/modules/tickets';
import { NotificationDue, TicketUnassigned } from './events.ts';
import { tellOfHeldMail } from './notifications/held-mail.ts';
import { mailAssigned, mailAnswered, mailUnassigned } from './notifications/mails.ts';
import { notify, type Concern } from './notifications/notifications.ts';
import { PushSubscription } from './push/entities.ts';
import { deliver, retrySchedule } from './push/send.ts';

export default [
  subscriber('desk.concern', TicketConcern, async (ctx, { data, at }) => {
    await notify(ctx, data, at);
    if (data.kind === 'assigned') await mailAssigned(ctx, data);
  }),
  subscriber('desk.answered', TicketAnswered, async (ctx, { data, at }) => {
    await notify(ctx, { ...data, kind: 'answered' }, at);
    await mailAnswered(ctx, data);
  }),
  subscriber('desk.followed', TicketFollowed, (ctx, { data, at }) => notify(ctx, data, at)),
  subscriber('desk.mentioned', TicketMentioned, async (ctx, { data, at }) => {
    for (const user_id of data.user_ids) await notify(ctx, { ...data, user_id, kind: 'mentioned' }, at);
  }),
  subscriber('desk.sla-warned', TicketSlaWarned, (ctx, { data, at }) => notifyOfClock(ctx, 'sla_warned', data, at)),
  subscriber('desk.sla-breached', TicketSlaBreached, (ctx, { data, at }) =>
    notifyOfClock(ctx, 'sla_breached', data, at),
  ),
  subscriber('desk.answered-absent', TeamTicketAnswered, async (ctx, { data, at }) => {
    for (const user_id of data.user_ids) await notify(ctx, { ...data, user_id, kind: 'answered_absent' }, at);
  }),
  subscriber('desk.escalated', TeamEscalated, async (ctx, { data, at }) => {
    for (const user_id of data.user_ids) await notify(ctx, { ...data, user_id, kind: 'escalated' }, at);
  }),
  subscriber('desk.show-in-browser', NotificationDue, (ctx, { data }) => deliver(ctx, data), {
    outside: true,
    retrySchedule,
  }),
  subscriber('desk.mail-unassigned', TicketUnassigned, (ctx, { data }) => mailUnassigned(ctx, data)),
  subscriber('desk.mail-held', MailHeld, (ctx, { data, at }) => tellOfHeldMail(ctx, data, at)),
  subscriber('desk.signed-out', TechnicianSignedOut, async (ctx, { data: { user_id, session_id, kept } }) => {
    await ctx.db.delete(PushSubscription, { user_id, session_id: session_id ?? Not(kept) });
  }),
  subscriber('desk.rated', TicketRated, async (ctx, { data, at }) => {
    const { ticket_id, assigned_to: user_id, rated_by: author_name } = data;
    if (user_id !== null) await notify(ctx, { kind: 'rated', ticket_id, user_id, author_name }, at);
  }),
];

const clocks = { response: 'First response', next_response: 'Next response', resolution: 'Resolution' } as const;

/** Notifies the assignee. The SLA clock is shown in place of a person. */
async function notifyOfClock(
  ctx: Context,
  kind: Concern['kind'],
  { ticket_id, assigned_to, clock }: { ticket_id: number; assigned_to: number | null; clock: keyof typeof clocks },
  at: Timestamp,
): Promise<void> {
  if (assigned_to === null) return;
  await notify(ctx, { kind, ticket_id, user_id: assigned_to, author_name: clocks[clock] }, at);
}
