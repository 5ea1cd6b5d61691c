import { dropdown, z } from '@keelson/core';

/** Ticket categories (T-09, F-57). */
export const JobTypes = dropdown('job_types', {
  title: 'Job types',
  items: [
    'General',
    'Hardware',
    'Software',
    'Network',
    'Email',
    'Security',
    'Access Request',
    'New Employee',
    'Purchase',
    'Backup Restore',
    'Chat',
  ],
  extra: {
    description: z.string().trim().max(1000).default(''),
    requires_approval: z.boolean().default(false),
  },
});
