import { choice, key, table } from '@keelson/core';

/** The mail addresses in use, be they the first or a further one of a contact or a technician's: each once. */
export const AddressClaim = table('address_claim', {
  email_key: key(254).primary(),
  kind: choice('contact', 'technician'),
});
