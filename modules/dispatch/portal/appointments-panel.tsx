// Coming visits and calls of a ticket, which the customer confirms or declines.
import { Button, Card, moment, useChange, useItem, type Row } from '@keelson/web';

const LIST = 'GET /tickets/{id}/appointments';
type Appointment = Row<typeof LIST>;

const kinds: Readonly<Record<Appointment['kind'], string>> = { visit: 'Visit', call: 'Call' };
const states: Readonly<Record<Appointment['confirmation'], string>> = {
  none: '',
  asked: 'Please confirm',
  confirmed: 'Confirmed',
  declined: 'Declined',
};

interface Props {
  readonly ticket: { readonly ticket_id: number; readonly can_change: boolean };
}

export default function AppointmentsPanel({ ticket: { ticket_id: id, can_change } }: Props) {
  const appointments = useItem(LIST, { id }).data?.appointments ?? [];
  const answer = useChange('PUT /tickets/{id}/appointments/{appointment_id}', { touches: ['/tickets'] });
  if (appointments.length === 0) return null;
  const set = (appointment_id: number, confirmation: 'confirmed' | 'declined') =>
    answer.mutate({ id, appointment_id, body: { confirmation } });
  return (
    <Card title="Appointments">
      {appointments.map((each: Appointment) => (
        <div key={each.appointment_id} className="appointment">
          <p>
            <b>{kinds[each.kind]}</b> by {each.technician_name}, {moment(each.starts_at)} – {moment(each.ends_at)}{' '}
            <span className="tone-muted">{states[each.confirmation]}</span>
          </p>
          {can_change && each.confirmation !== 'none' && (
            <div className="actions">
              {each.confirmation !== 'confirmed' && (
                <Button
                  look="primary"
                  disabled={answer.isPending}
                  onClick={() => set(each.appointment_id, 'confirmed')}
                >
                  Confirm
                </Button>
              )}
              {each.confirmation !== 'declined' && (
                <Button disabled={answer.isPending} onClick={() => set(each.appointment_id, 'declined')}>
                  Decline
                </Button>
              )}
            </div>
          )}
        </div>
      ))}
    </Card>
  );
}
