// Columns named *_key hold the normalised value for a unique rule. Deleting a row clears them, so that the name or
// address can be reused (V-25, V-27).
import { choice, id, int, key, table, text, when } from '@keelson/core';
import { languageColumn } from '@keelson/core/plugin';

export const companyStatuses = ['active', 'inactive'] as const;

export const Company = table(
  'company',
  {
    company_number: id(),
    customer: text(255),
    customer_key: key().nullable().unique().hidden(),
    address: text(255).default(''),
    city: text(255).default(''),
    state: text(255).default('').titled('State or province'),
    zip: text(32).default(''),
    country: text(255).default(''),
    phone: text(32).default(''),
    email: text(254).default(''),
    website: text(2048).default(''),
    industry: text(255).default(''),
    notes: text().default(''),
    language: languageColumn(),
    status: choice(...companyStatuses).default('active'),
    /**
     * As of the counter's last compaction, so that an index can sort by it. Displayed values are exact
     * (readStatistics).
     */
    open_tickets: int().default(0).hidden(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['status', 'customer', 'company_number', 'deleted_at'],
    ['customer', 'company_number', 'deleted_at'],
    ['status', 'open_tickets', 'company_number', 'deleted_at'],
    ['open_tickets', 'company_number', 'deleted_at'],
  ],
);
