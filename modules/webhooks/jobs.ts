import { IsNull, job, plus, sql, type Context } from '@keelson/core';
import { eachApart } from '@keelson/core/kit';
import { deleteDeliveries } from './delivery-log.ts';
import { subscriberOf, Webhook } from './entities.ts';

const KEPT = { days: -30 } as const;
const AT_ONCE = 50;

export default [
  job('webhooks.sweep', '*/10 * * * *', sweepDeleted, { title: 'Delete data of removed webhooks' }),
  job('webhooks.prune-failed', '50 3 * * *', pruneFailed, { title: 'Delete old failed deliveries' }),
];

/** Deletes the deliveries of deleted webhooks, which may be too many for the delete request. */
async function sweepDeleted({ app, now }: Context<undefined>): Promise<void> {
  const deleted = await app.database.query<{ webhook_id: number }>(
    sql`SELECT webhook_id FROM webhook WHERE deleted_at IS NOT NULL AND swept_at IS NULL LIMIT ${AT_ONCE}`,
  );
  await eachApart(deleted, nameOf, async ({ webhook_id }) => {
    await deleteDeliveries(app.database, subscriberOf(webhook_id));
    await app.database.update(Webhook, { webhook_id }, { swept_at: now });
  });
}

/** Deletes permanently failed deliveries after 30 days (EV-05); core prunes successful ones. */
async function pruneFailed({ app, now }: Context<undefined>): Promise<void> {
  const rows = await app.database.findBy(Webhook, { deleted_at: IsNull() });
  await eachApart(rows, nameOf, ({ webhook_id }) =>
    deleteDeliveries(app.database, subscriberOf(webhook_id), plus(now, KEPT)),
  );
}

const nameOf = ({ webhook_id }: { readonly webhook_id: number }): string => `webhook ${webhook_id}`;
