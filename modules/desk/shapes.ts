import { z } from '@keelson/core';

/** A technician who has a record open. */
export const PresentPerson = z.object({
  type: z.string(),
  key: z.int(),
  user_id: z.int(),
  name: z.string(),
  doing: z.enum(['viewing', 'writing']),
});
