// Input fields of a manager group, on both surfaces.
import { input, z } from '@keelson/core';

export const groupFields = {
  name: input.text(255),
  description: input.optionalLongText(),
  require_approval: z.boolean().optional(),
  approval_job_types: z.array(input.text(255)).max(100).optional().meta({ 'x-dropdown': 'job_types' }),
  managers: z.array(input.id()).max(500).optional(),
  members: z.array(input.id()).max(500).optional(),
};
/** Immutable once the group exists (D-07). */
export const groupCode = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,32}$/, 'must be 1 to 32 of A-Z, a-z, 0-9, _ and -')
  .optional();
