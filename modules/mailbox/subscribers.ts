import { subscriber } from '@keelson/core';
import { FilesDue, MessageStored } from './events.ts';
import { attachFiles } from './files.ts';
import { judgeInTurn } from './judge.ts';

// Parse mails outside of transactions.
export default [
  subscriber('mailbox.judge', MessageStored, (ctx, { data }) => judgeInTurn(ctx, data.received_id), { outside: true }),
  subscriber('mailbox.attach', FilesDue, (ctx, { data }) => attachFiles(ctx, data.received_id), { outside: true }),
];
