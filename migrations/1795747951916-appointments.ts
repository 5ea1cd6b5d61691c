// Adds appointments: planned time of technicians.
import { migration } from '../packages/database/migration/migrate.ts';
import { choice, id, int, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1795747951916-appointments', async (m) => {
  await m.createTable(
    'appointment',
    {
      appointment_id: id(),
      user_id: ref('technician.user_id'),
      ticket_id: ref('ticket.ticket_id').nullable(),
      kind: choice('work', 'visit', 'call', 'travel').default('work'),
      starts_at: when(),
      ends_at: when(),
      note: text(255).default(''),
      employee_number: ref('employee.employee_number').nullable(),
      confirmation: choice('none', 'asked', 'confirmed', 'declined').default('none'),
      sequence: int().default(0),
      created_at: when(),
      updated_at: when(),
    },
    [
      ['starts_at', 'appointment_id'],
      ['user_id', 'starts_at', 'appointment_id'],
      ['ticket_id', 'starts_at', 'appointment_id'],
    ],
  );
});
