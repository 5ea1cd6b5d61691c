import { subscriber } from '@keelson/core';
import { FilesDue, MailboxNotified, MessageStored } from './events.ts';
import { attachFiles } from './judge/files.ts';
import { judgeInTurn } from './judge/in-turn.ts';
import { receiveNotified } from './servers/notifications.ts';

// Parse mails outside of transactions.
export default [
  subscriber('mailbox.judge', MessageStored, (ctx, { data }) => judgeInTurn(ctx, data.received_id), { outside: true }),
  subscriber('mailbox.attach', FilesDue, (ctx, { data }) => attachFiles(ctx, data.received_id), { outside: true }),
  subscriber('mailbox.receive-notified', MailboxNotified, (ctx, { data }) => receiveNotified(ctx, data.mailbox_id), {
    outside: true,
  }),
];
