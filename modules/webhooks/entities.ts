import { choice, flag, id, int, json, table, text, when, z, type Row } from '@keelson/core';

/** Administrators and CRM keys have separate registries (N-21). */
export const registries = ['admin', 'crm'] as const;
export type Registry = (typeof registries)[number];

export const Webhook = table(
  'webhook',
  {
    webhook_id: id(),
    registry: choice(...registries).hidden(),
    /** Who registered it; null for webhooks older than this column. */
    author_type: choice('technician', 'employee', 'api', 'system', 'assistant').nullable().hidden(),
    author_id: int().nullable().hidden(),
    url: text(2048),
    events: json(z.array(z.string())),
    active: flag().default(true),
    /** Sealed; null once the webhook is deleted (V-25). */
    secret: text().nullable().hidden(),
    /** Previous secret; deliveries are signed with it too until `previous_until`. */
    previous_secret: text().nullable().hidden(),
    previous_until: when().nullable().hidden(),
    last_delivery_at: when().nullable(),
    last_status: int().nullable(),
    /** Failed attempts since the last success. */
    failure_count: int().default(0),
    failing_since: when().nullable().hidden(),
    /** Number of events affected, not counting retries. */
    failed_events: int().default(0).hidden(),
    /** When administrators were warned of the failures. */
    warned_at: when().nullable().hidden(),
    created_at: when(),
    deleted_at: when().nullable().hidden(),
    /** When the deliveries of a deleted webhook were purged. */
    swept_at: when().nullable().hidden(),
  },
  [['deleted_at', 'registry']],
);
export type WebhookRow = Row<typeof Webhook>;

/** Subscriber name of the webhook, used for its deliveries. */
export const PREFIX = 'webhook:';
export const subscriberOf = (webhook_id: number): string => `${PREFIX}${webhook_id}`;
