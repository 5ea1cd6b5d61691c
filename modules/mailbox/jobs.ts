import { job } from '@keelson/core';
import { checkCanaries, sendCanaries } from './mailboxes/canary.ts';
import { keepSubscribed } from './servers/notifications.ts';
import { pruneMails, receiveAll } from './servers/receive.ts';
import { checkSignIns, refreshAhead } from './servers/tokens.ts';
import { watchAll } from './servers/watch.ts';

export default [
  job('mailbox.watch', '*/20 * * * * *', (ctx, { stopping }) => watchAll(ctx, stopping), {
    title: 'Keep mailbox connections open',
  }),
  job('mailbox.receive', '*/20 * * * * *', receiveAll, { title: 'Receive emails' }),
  job('mailbox.subscribe', '25 * * * * *', keepSubscribed, { title: 'Subscribe to new mail at Microsoft' }),
  job('mailbox.refresh-tokens', '10 * * * * *', refreshAhead, { title: 'Renew mailbox sign-ins' }),
  job('mailbox.check-sign-ins', '5 */5 * * * *', checkSignIns, { title: 'Check mailbox sign-ins' }),
  job('mailbox.send-canaries', '30 */10 * * * *', sendCanaries, { title: 'Send test emails through mailboxes' }),
  job('mailbox.check-canaries', '40 * * * * *', checkCanaries, { title: 'Check that test emails arrived' }),
  job('mailbox.prune', '35 3 * * *', pruneMails, { title: 'Delete old received emails' }),
];
