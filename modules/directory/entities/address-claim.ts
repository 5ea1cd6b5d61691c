import { choice, key, table } from '@keelson/core';

/** Email addresses in use by contacts (primary or additional) and technicians: each once. */
export const AddressClaim = table('address_claim', {
  email_key: key(254).primary(),
  kind: choice('contact', 'technician'),
});
