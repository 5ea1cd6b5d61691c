import { job } from '@keelson/core';
import { checkCanaries, sendCanaries } from './canary.ts';
import { pruneMails, receiveAll } from './receive.ts';
import { checkSignIns, refreshAhead } from './tokens.ts';
import { watchAll } from './watch.ts';

export default [
  job('mailbox.watch', '*/20 * * * * *', (ctx, { stopping }) => watchAll(ctx, stopping)),
  job('mailbox.receive', '*/20 * * * * *', receiveAll),
  job('mailbox.refresh-tokens', '10 * * * * *', refreshAhead),
  job('mailbox.check-sign-ins', '5 */5 * * * *', checkSignIns),
  job('mailbox.send-canaries', '30 */10 * * * *', sendCanaries),
  job('mailbox.check-canaries', '40 * * * * *', checkCanaries),
  job('mailbox.prune', '35 3 * * *', pruneMails),
];
