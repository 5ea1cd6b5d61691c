import { setting, z } from '@keelson/core';

export const JobTypeShape = z.object({
  job_type_id: z.int(),
  name: z.string(),
  description: z.string(),
  requires_approval: z.boolean(),
  active: z.boolean(),
  sort_order: z.int(),
});
export type JobType = z.infer<typeof JobTypeShape>;

const names = [
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
] as const;

/** The ticket categories of the dropdown (T-09). */
export const JobTypes = setting(
  'tickets.job_types',
  z.array(JobTypeShape),
  names.map((name, i) => ({
    job_type_id: i + 1,
    name,
    description: '',
    requires_approval: false,
    active: true,
    sort_order: i + 1,
  })),
);
