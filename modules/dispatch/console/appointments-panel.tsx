// Upcoming appointments in a ticket's side panel.
import { Link, moment, Section, useAllRows, t } from '@keelson/web';
import { dayOf, kinds, states } from './look.tsx';

const LIST = 'GET /dispatch/appointments.php';

export default function AppointmentsPanel({ ticket: { ticket_id } }: { ticket: { ticket_id: number } }) {
  const { rows: found } = useAllRows(LIST, { ticket_id, from: dayOf(new Date()) });
  if (found.length === 0) return null;
  return (
    <Section title={t('Appointments')}>
      <ul className="linked">
        {found.map((each) => (
          <li key={each.appointment_id}>
            <Link href={`/dispatch?day=${dayOf(new Date(each.starts_at))}`}>
              {kinds[each.kind]}, {moment(each.starts_at)}
            </Link>
            <span className="tone-muted">
              {each.technician_name} {states[each.confirmation]}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
