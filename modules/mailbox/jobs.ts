import { job } from '@keelson/core';
import { pruneMails, receiveAll } from './receive.ts';
import { watchAll } from './watch.ts';

export default [
  job('mailbox.watch', '*/20 * * * * *', (ctx, { stopping }) => watchAll(ctx, stopping)),
  job('mailbox.receive', '*/20 * * * * *', receiveAll),
  job('mailbox.prune', '35 3 * * *', pruneMails),
];
