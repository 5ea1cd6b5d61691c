// Adds ratings of closed tickets by their requesters.
import { migration } from '../packages/database/migration/migrate.ts';
import { choice, day, id, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1795708454441-ticket-ratings', async (m) => {
  await m.createTable(
    'ticket_rating',
    {
      rating_id: id(),
      ticket_id: ref('ticket.ticket_id'),
      company_number: ref('company.company_number'),
      employee_number: ref('employee.employee_number'),
      assigned_to: ref('technician.user_id').nullable(),
      score: choice('good', 'okay', 'bad'),
      comment: text().default(''),
      rated_at: when(),
      rated_on: day(),
      closing_key: key(64).unique(),
    },
    [
      ['rated_at', 'rating_id'],
      ['ticket_id', 'rated_at'],
      ['company_number', 'rated_at'],
      ['assigned_to', 'rated_at'],
      ['rated_on', 'assigned_to', 'company_number'],
    ],
  );
});
