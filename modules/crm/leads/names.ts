import { defineNames } from '@keelson/core';
import { Lead } from './entities.ts';

type NameParts = Pick<Lead, 'first_name' | 'last_name' | 'company_name' | 'email' | 'phone'>;

/** Returns the lead's display name: the person, else the company, else the email address or phone number. */
export function leadName({ first_name, last_name, company_name, email, phone }: NameParts): string {
  return `${first_name} ${last_name}`.trim() || company_name || email || phone;
}

export const LeadNames = defineNames(Lead, ['first_name', 'last_name', 'company_name', 'email', 'phone'], leadName);
