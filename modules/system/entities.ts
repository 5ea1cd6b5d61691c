import { choice, id, int, table, text, when } from '@keelson/core';

/** The provider's logo as it was uploaded; its only row is number 1. */
export const Logo = table('logo', {
  logo_id: id(),
  content_type: choice('image/png', 'image/jpeg'),
  /** In base64. */
  image: text().hidden(),
  size: int(),
  created_at: when(),
});
export type Logo = typeof Logo.Row;
