import { choice, id, int, key, ref, table, text, when, type Row } from '@keelson/core';
import { Company } from '@keelson/modules/directory';

export const severities = ['info', 'warning', 'critical'] as const;
export const alertStates = ['open', 'acknowledged', 'resolved'] as const;

/** Types that the product reports or that tools often report; any other name may be used. */
export const alertTypes: readonly string[] = [
  ...['backup_failed', 'backup_late', 'collector_offline', 'command_failed', 'contract_expiring', 'domain_expiring'],
  ...['license_expiring', 'scan_failed', 'webhook_disabled', 'disk_full', 'host_down', 'high_load', 'service_down'],
];

/** Alert (F-56, M-31). An ongoing problem is one row, however often it is reported. */
export const Alert = table(
  'alert',
  {
    alert_id: id(),
    alert_type: text(60),
    severity: choice(...severities),
    status: choice(...alertStates).default('open'),
    message: text(1000),
    /** Null for an alert about the provider's own installation. */
    company_number: ref(Company).nullable(),
    collector_id: key(16).nullable(),
    asset_id: int().nullable(),
    /** Reporter: Keelson or another tool. */
    source: text(100),
    /** Number of reports while ongoing. */
    occurrences: int().default(1),
    created_at: when(),
    last_raised_at: when(),
    acknowledged_at: when().nullable(),
    acknowledged_by: text(255).nullable(),
    resolved_at: when().nullable(),
    /** Deduplication key; null once resolved, so that the problem can recur. */
    open_key: key().nullable().unique().hidden(),
    muted_until: when().nullable(),
    /** The deduplication key while muted, kept when resolved, so that the problem stays muted if it recurs. */
    muted_key: key().nullable().hidden(),
  },
  [
    ['created_at', 'alert_id'],
    ['status', 'created_at', 'alert_id', 'severity'],
    ['company_number', 'status', 'created_at', 'alert_id', 'severity'],
    ['company_number', 'created_at', 'alert_id', 'severity'],
    ['severity', 'status', 'created_at', 'alert_id'],
    ['severity', 'created_at', 'alert_id'],
    ['collector_id', 'status'],
    ['resolved_at'],
    ['muted_key'],
    ['asset_id', 'created_at', 'alert_id'],
  ],
);
export type Alert = Row<typeof Alert>;
