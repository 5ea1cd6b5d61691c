import { choice, flag, id, int, json, table, text, when, z, type Row } from '@keelson/core';

/** Administrators and CRM keys each have a registry of their own (N-21). */
export const registries = ['admin', 'crm'] as const;
export type Registry = (typeof registries)[number];

export const Webhook = table(
  'webhook',
  {
    webhook_id: id(),
    registry: choice(...registries).hidden(),
    url: text(2048),
    events: json(z.array(z.string())),
    active: flag().default(true),
    /** Sealed; null once the webhook is deleted (V-25). */
    secret: text().nullable().hidden(),
    /** What it was before: also signed with for a day. */
    previous_secret: text().nullable().hidden(),
    previous_until: when().nullable().hidden(),
    last_delivery_at: when().nullable(),
    last_status: int().nullable(),
    /** Attempts that failed since the last that succeeded. */
    failure_count: int().default(0),
    failing_since: when().nullable().hidden(),
    /** Events among them. */
    failed_events: int().default(0).hidden(),
    /** Administrators have been told that it fails. */
    warned_at: when().nullable().hidden(),
    created_at: when(),
    deleted_at: when().nullable().hidden(),
    /** Its deliveries are gone too. */
    swept_at: when().nullable().hidden(),
  },
  [['deleted_at', 'registry']],
);
export type WebhookRow = Row<typeof Webhook>;

/** What its deliveries are kept under. */
export const PREFIX = 'webhook:';
export const subscriberOf = (webhook_id: number): string => `${PREFIX}${webhook_id}`;
