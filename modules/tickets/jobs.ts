import { job, type Context } from '@keelson/core';
import { removeBefore } from '@keelson/core/database';
import { seenBefore } from './comments/read-marks.ts';
import { TicketRead } from './entities.ts';

export default [job('tickets.forget-seen', '35 3 * * *', forgetSeen, { title: 'Clear old read marks of tickets' })];

async function forgetSeen({ app, now }: Context<undefined>): Promise<void> {
  await removeBefore(app.database, TicketRead, 'seen_at', seenBefore(now));
}
