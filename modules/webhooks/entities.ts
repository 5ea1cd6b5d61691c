import { choice, flag, id, int, json, table, text, when, z, type Row } from '@keelson/core';

/** Administrators and CRM keys have a registry each (N-21). */
export const registries = ['admin', 'crm'] as const;
export type Registry = (typeof registries)[number];

export const Webhook = table(
  'webhook',
  {
    webhook_id: id(),
    registry: choice(...registries).hidden(),
    /** Who registered it; null where that was before it was written down. */
    author_type: choice('technician', 'employee', 'api', 'system', 'assistant').nullable().hidden(),
    author_id: int().nullable().hidden(),
    url: text(2048),
    events: json(z.array(z.string())),
    active: flag().default(true),
    /** Sealed; null once the webhook is deleted (V-25). */
    secret: text().nullable().hidden(),
    /** The one before, with which deliveries are signed as well until `previous_until`. */
    previous_secret: text().nullable().hidden(),
    previous_until: when().nullable().hidden(),
    last_delivery_at: when().nullable(),
    last_status: int().nullable(),
    /** Failed attempts since the last one that succeeded. */
    failure_count: int().default(0),
    failing_since: when().nullable().hidden(),
    /** How many events they were for: retries are not counted. */
    failed_events: int().default(0).hidden(),
    /** When administrators were told that it fails. */
    warned_at: when().nullable().hidden(),
    created_at: when(),
    deleted_at: when().nullable().hidden(),
    /** When the deliveries of a deleted one were deleted too. */
    swept_at: when().nullable().hidden(),
  },
  [['deleted_at', 'registry']],
);
export type WebhookRow = Row<typeof Webhook>;

/** The name of the webhook as a subscriber, under which its deliveries are stored. */
export const PREFIX = 'webhook:';
export const subscriberOf = (webhook_id: number): string => `${PREFIX}${webhook_id}`;
