import { admin, all, z } from '@keelson/core';
import { availabilities } from '@keelson/modules/directory';
import { listTechnicianStatus } from '../../people/technicians.ts';
import { ReadTickets } from '../../permissions.ts';

const TechnicianStatus = z.object({
  user_id: z.int(),
  name: z.string(),
  email: z.string(),
  role: z.enum(['administrator', 'technician']),
  status: z.enum(availabilities),
  open_tickets: z.int(),
  last_activity_at: z.iso.datetime().nullable(),
});

export default [
  admin.get('/tech-status.php', {
    title: 'List technicians with their status',
    access: ReadTickets,
    returns: all(TechnicianStatus),
    handle: (ctx) => listTechnicianStatus(ctx),
  }),
];
