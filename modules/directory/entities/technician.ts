import { choice, flag, id, int, key, table, text, when } from '@keelson/core';
import { languageColumn } from '@keelson/core/plugin';

/** A member of the provider's staff (NW-01). */
export const Technician = table(
  'technician',
  {
    user_id: id(),
    name: text(255),
    email: text(254),
    email_key: key(254).nullable().unique().hidden(),
    role: choice('administrator', 'technician').default('technician'),
    active: flag().default(true),
    language: languageColumn(),
    password_hash: key(255).nullable().hidden(),
    access_version: int().default(1).hidden(),
    /** Set manually by the technician; otherwise the status follows from the last request (D-22). */
    busy: flag().default(false),
    last_activity_at: when().nullable(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [['name', 'user_id', 'deleted_at']],
);
