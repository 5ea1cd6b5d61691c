// Columns that files of contracts, licenses and domains share.
import { input, z } from '@keelson/core';
import type { ImportColumn } from '@keelson/core/files';

export const companyNames = { company_name: input.optionalText(255) } satisfies z.ZodRawShape;

export const companyColumns: readonly ImportColumn[] = Object.freeze<ImportColumn[]>([
  { name: 'company_number', label: 'Company number', type: 'integer' },
  {
    name: 'company_name',
    label: 'Company',
    type: 'text',
    filesOnly: true,
    aliases: [
      'client',
      'client name',
      'customer',
      'organization',
      'entity',
      'account name',
      'company',
      'firma',
      'kunde',
      'kundenname',
    ],
  },
]);

export const noteColumns: readonly ImportColumn[] = Object.freeze<ImportColumn[]>([
  {
    name: 'notes',
    label: 'Internal notes',
    type: 'text',
    aliases: ['comment', 'comments', 'remarks', 'note', 'notizen', 'bemerkung', 'bemerkungen', 'kommentar'],
  },
  { name: 'customer_notes', label: 'Notes for the customer', type: 'text' },
]);
