import { choice, id, int, table, text, when } from '@keelson/core';

/** The provider's uploaded logo; a single row with id 1. */
export const Logo = table('logo', {
  logo_id: id(),
  content_type: choice('image/png', 'image/jpeg'),
  /** Base64. */
  image: text().hidden(),
  size: int(),
  created_at: when(),
});
export type Logo = typeof Logo.Row;
