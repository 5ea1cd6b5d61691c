import { consolePart } from '@keelson/core';
import { ReadSettings } from '@keelson/modules/system';
import { ReadTickets } from '@keelson/modules/tickets';

export default consolePart(import.meta.dirname, {
  pages: [
    {
      path: '/dispatch',
      title: 'Dispatch',
      file: 'dispatch',
      access: ReadTickets,
      nav: { section: 'work', icon: 'calendar', order: 22, key: 'g d' },
    },
  ],
  panels: [
    { slot: 'ticket.side', title: 'Appointments', file: 'appointments-panel', access: ReadTickets, order: 3 },
    { slot: 'settings.card', title: 'Appointments', file: 'settings-card', access: ReadSettings, order: 11 },
  ],
  records: [
    {
      type: 'appointment',
      title: 'Appointment',
      path: '/dispatch',
      icon: 'calendar',
      access: ReadTickets,
      read: 'GET /dispatch/appointments.php?id={id}',
      find: 'GET /dispatch/appointments.php',
      name: 'ticket_subject',
      id: 'appointment_id',
    },
  ],
});
