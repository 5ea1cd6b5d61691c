import { job, plus, type Context } from '@keelson/core';
import { removeBefore } from '@keelson/core/database';
import { Alert } from './entities.ts';
import { tellTroubles } from './troubles.ts';

const KEPT = { days: -365 } as const;

export default [
  job('monitoring.prune', '20 3 * * *', prune, { title: 'Delete old alerts' }),
  job('monitoring.troubles', '*/5 * * * *', tellTroubles, { title: 'Report problems to administrators' }),
];

/** Deletes resolved alerts after a year. */
async function prune({ app, now }: Context<undefined>): Promise<void> {
  await removeBefore(app.database, Alert, 'resolved_at', plus(now, KEPT));
}
