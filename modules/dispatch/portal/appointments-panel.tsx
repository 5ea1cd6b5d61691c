// Upcoming visits and calls of a ticket, which the customer confirms, declines or moves.
import { Button, Card, Form, locale, rawText, rich, SelectField, t, useChange, useItem, type Row } from '@keelson/web';
import { useState } from 'react';

const LIST = 'GET /tickets/{id}/appointments';
type Appointment = Row<typeof LIST>;

const kinds: Readonly<Record<Appointment['kind'], string>> = { visit: t('Visit'), call: t('Call') };
const states: Readonly<Record<Appointment['confirmation'], string>> = {
  none: '',
  asked: t('Please confirm'),
  confirmed: t('Confirmed'),
  declined: t('Declined'),
};

const spanForm = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** Formats a time with its day once: `29 Nov 2026, 18:00–20:00`. */
const spanOf = ({ starts_at, ends_at }: { readonly starts_at: string; readonly ends_at: string }): string =>
  spanForm.formatRange(new Date(starts_at), new Date(ends_at));

interface Props {
  readonly ticket: { readonly ticket_id: number; readonly can_change: boolean };
}

export default function AppointmentsPanel({ ticket: { ticket_id: id, can_change } }: Props) {
  const appointments = useItem(LIST, { id }).data?.appointments ?? [];
  const [moving, setMoving] = useState<number>();
  const answer = useChange('PUT /tickets/{id}/appointments/{appointment_id}', { touches: ['/tickets'] });
  if (appointments.length === 0) return null;
  const set = (appointment_id: number, confirmation: 'confirmed' | 'declined') =>
    answer.mutate({ id, appointment_id, body: { confirmation } });
  return (
    <Card title={t('Appointments')}>
      {appointments.map((each: Appointment) => (
        <div key={each.appointment_id} className="appointment">
          <p>
            {rich('{kind} by {technician}, {time}', {
              kind: <b>{kinds[each.kind]}</b>,
              technician: each.technician_name,
              time: spanOf(each),
            })}{' '}
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
                  {t('Confirm')}
                </Button>
              )}
              {each.confirmation !== 'declined' && (
                <Button disabled={answer.isPending} onClick={() => set(each.appointment_id, 'declined')}>
                  {t('Decline')}
                </Button>
              )}
              {each.can_move && moving !== each.appointment_id && (
                <Button onClick={() => setMoving(each.appointment_id)}>{t('Move…')}</Button>
              )}
            </div>
          )}
          {can_change && moving === each.appointment_id && (
            <MoveForm id={id} appointment_id={each.appointment_id} onClose={() => setMoving(undefined)} />
          )}
        </div>
      ))}
    </Card>
  );
}

interface MoveFormProps {
  readonly id: number;
  readonly appointment_id: number;
  readonly onClose: () => void;
}

/** The technician's free times, one of which the customer chooses. */
function MoveForm({ id, appointment_id, onClose }: MoveFormProps) {
  const which = { id, appointment_id };
  const times = useItem('GET /tickets/{id}/appointments/{appointment_id}/times', which).data?.times;
  const move = useChange('POST /tickets/{id}/appointments/{appointment_id}/move', {
    touches: ['/tickets'],
    done: onClose,
    quiet: true,
  });
  if (!times) return null;
  if (times.length === 0)
    return (
      <p className="tone-muted">{t('No free times in the next two weeks. Reply to the ticket to propose one.')}</p>
    );
  return (
    <Form
      submit={t('Move the appointment')}
      busy={move.isPending}
      error={move.error}
      onCancel={onClose}
      onSubmit={(given) => move.mutate({ ...which, body: { starts_at: rawText(given, 'starts_at') } })}
    >
      <SelectField
        name="starts_at"
        label={t('New time')}
        required
        choices={times.map((each: { readonly starts_at: string; readonly ends_at: string }) => ({
          value: each.starts_at,
          label: spanOf(each),
        }))}
      />
    </Form>
  );
}
