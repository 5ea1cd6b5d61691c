import { choice, day, int, table, when } from '@keelson/core';

export const expiringKinds = ['contract', 'license', 'domain'] as const;
export type ExpiringKind = (typeof expiringKinds)[number];

/** Warnings already sent: one per mark and end date of a record. */
export const ExpiryNotice = table(
  'expiry_notice',
  {
    kind: choice(...expiringKinds).primary(),
    record_id: int().primary(),
    expires_on: day().primary(),
    mark: int().primary(),
    told_at: when(),
  },
  [['expires_on']],
);
