import { event, z } from '@keelson/core';

/** Emitted when a technician's sessions are ended before they expire: one of them, or all (null) but `kept`. */
export const TechnicianSignedOut = event(
  'accounts.technician-signed-out',
  z.object({ user_id: z.int(), session_id: z.int().nullable(), kept: z.int() }),
);

export default [TechnicianSignedOut];
