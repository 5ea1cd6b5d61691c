import { defineNames } from '@keelson/core';
import { CrmContact } from './entities.ts';

/** Returns the contact's display name: the person, else the email address. */
export function contactName({
  first_name,
  last_name,
  email,
}: Pick<CrmContact, 'first_name' | 'last_name' | 'email'>): string {
  return `${first_name} ${last_name}`.trim() || email;
}

export const ContactNames = defineNames(CrmContact, ['first_name', 'last_name', 'email'], contactName);
