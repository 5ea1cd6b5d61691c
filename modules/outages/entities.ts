import { choice, flag, id, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Company } from '@keelson/modules/directory';

export const severities = ['minor', 'major', 'critical'] as const;
export const outageStates = ['active', 'resolved', 'scheduled'] as const;

/** Service that customers depend on and that outages refer to (F-49). */
export const OutageService = table('outage_service', {
  service_id: id(),
  name: text(255),
  name_key: key().nullable().unique().hidden(),
  description: text().default(''),
  category: text(100).default(''),
  /** Inactive services remain on past outages. */
  active: flag().default(true),
  created_at: when(),
  updated_at: when(),
  deleted_at: when().nullable().hidden(),
});
export type OutageService = Row<typeof OutageService>;

/** Services of a company, also deleted ones; a company without rows has all active ones (O-07). */
export const CompanyService = table('company_service', {
  company_number: ref(Company).primary(),
  service_id: ref(OutageService).primary(),
});

export const Outage = table(
  'outage',
  {
    outage_id: id(),
    service_id: ref(OutageService),
    /** Null if it affects all companies. */
    company_number: ref(Company).nullable(),
    title: text(255),
    description: text().default(''),
    severity: choice(...severities).default('minor'),
    status: choice(...outageStates),
    started_at: when().nullable(),
    scheduled_start: when().nullable(),
    scheduled_end: when().nullable(),
    resolved_at: when().nullable(),
    /** When it was active before it was last made active again. */
    earlier_spans: json(z.array(z.object({ from: z.iso.datetime(), to: z.iso.datetime() })))
      .nullable()
      .hidden(),
    /** Latest update. */
    notes: text().default(''),
    /** Notify affected people when the window starts and ends automatically, if they were notified of it before. */
    notify: flag().default(false).hidden(),
    created_by: text(255),
    created_at: when(),
    updated_at: when(),
  },
  [
    ['created_at', 'outage_id'],
    ['status', 'created_at', 'outage_id'],
    ['company_number', 'created_at', 'outage_id'],
    ['service_id', 'created_at', 'outage_id'],
    ['status', 'scheduled_start'],
    ['status', 'scheduled_end'],
  ],
);
export type Outage = Row<typeof Outage>;

/** History of an outage; `status` is the value the caller sent (N-23). */
export const OutageHistory = table(
  'outage_history',
  {
    history_id: id(),
    outage_id: ref(Outage),
    status: text(40),
    notes: text().default(''),
    changed_by: text(255),
    notified: flag().default(false),
    created_at: when(),
  },
  [['outage_id', 'history_id']],
);
export type OutageHistory = Row<typeof OutageHistory>;

/** Person notified of a company's outages in addition to its managers and IT admins. */
export const OutageSubscriber = table(
  'outage_subscriber',
  {
    subscriber_id: id(),
    company_number: ref(Company),
    name: text(255).default(''),
    email: text(254),
    email_key: key(254).hidden(),
    created_at: when(),
  },
  [],
  { unique: [['company_number', 'email_key']] },
);
export type OutageSubscriber = Row<typeof OutageSubscriber>;
