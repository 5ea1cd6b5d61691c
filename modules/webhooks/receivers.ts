// Registered webhooks as event subscribers.
import { cache, invalidateOnChange, IsNull, perApp, type App } from '@keelson/core';
import type { Db } from '@keelson/core/database';
import {
  postWebhook,
  publicData,
  DeliveryError,
  webhookRetrySchedule,
  type Receivers,
  type Target,
} from '@keelson/core/system';
import { PREFIX, subscriberOf, Webhook, type WebhookRow } from './entities.ts';
import { recordOutcomes } from './health.ts';
import { signingKeys } from './secrets.ts';

interface ActiveWebhooks {
  readonly byEvent: ReadonlyMap<string, readonly string[]>;
  readonly targets: ReadonlyMap<string, Target>;
}

/** Cached because every event and delivery needs them. */
const active = perApp((app) => {
  const kept = cache<string, ActiveWebhooks>(app, (db) => readActive(app, db));
  invalidateOnChange(app, kept, [Webhook]);
  return kept;
});

export const receivers: Receivers = {
  prefix: PREFIX,
  async targets(app, db, { event: { name, webhook } }) {
    if (webhook === undefined) return [];
    return (await active(app).get(db, 'all')).byEvent.get(`${webhook} ${name}`) ?? [];
  },
  async find(app, subscriber) {
    const known = (await active(app).get(app.database, 'all')).targets.get(subscriber);
    return known ?? findUncached(app, subscriber);
  },
};

async function readActive(app: App, db: Db): Promise<ActiveWebhooks> {
  const rows = await db.findBy(Webhook, { deleted_at: IsNull(), active: true });
  const wanted = rows.flatMap(({ webhook_id, registry, events }) =>
    events.map((name) => ({ key: `${registry} ${name}`, subscriber: subscriberOf(webhook_id) })),
  );
  const byEvent = new Map(
    [...Map.groupBy(wanted, ({ key }) => key)].map(([key, group]) => [key, group.map((each) => each.subscriber)]),
  );
  return { byEvent, targets: new Map(rows.map((row) => [subscriberOf(row.webhook_id), targetOf(app, row)])) };
}

/** Bypasses the cache: another process may have registered or enabled it within the last two seconds. */
async function findUncached(app: App, subscriber: string): Promise<Target> {
  const webhook_id = Number(subscriber.slice(PREFIX.length));
  const row = await app.database.findOneBy(Webhook, { webhook_id, deleted_at: IsNull() });
  if (!row) return removed;
  return row.active ? targetOf(app, row) : switchedOff;
}

/** Another process may store a delivery after those of a deleted webhook were purged: no one can resend it. */
const removed: Target = Object.freeze({ handle: async () => {} });

/** Inactive webhooks receive nothing (EV-11); pending deliveries can be resent later. */
const switchedOff: Target = Object.freeze({
  handle: () => Promise.reject(new DeliveryError('The webhook is disabled', { final: true })),
});

function targetOf(app: App, row: WebhookRow): Target {
  const keys = signingKeys(app, row);
  return {
    retrySchedule: webhookRetrySchedule,
    settled: (ctx, outcomes) => recordOutcomes(ctx, row.webhook_id, outcomes),
    handle: (ctx, { event_id, name, at, data }, { delivery_id }) =>
      postWebhook(app.egress, {
        url: row.url,
        message: { event: name, timestamp: at, data: publicData(app, name, data) },
        event_id,
        delivery_id: String(delivery_id),
        keys: keys(ctx.now),
        now: ctx.now,
      }),
  };
}
