// Creates or changes an appointment; the keyboard alternative to dragging.
import {
  addressWith,
  call,
  editsOf,
  Form,
  IconButton,
  Link,
  queries,
  RecordField,
  SelectField,
  stale,
  TextField,
  texts,
  toastError,
  useChange,
  useFinish,
  useItem,
  t,
} from '@keelson/web';
import { useState } from 'react';
import schema from 'schema:PUT /dispatch/appointments.php?id={id}';
import { dayOf, kinds, said, titleOf, type Appointment } from './look.tsx';
import type { Ticket } from './unplanned.tsx';

/** Initial values of the form. */
export interface Draft {
  readonly appointment?: Appointment;
  readonly ticket?: Pick<
    Ticket,
    'ticket_id' | 'ticket_number' | 'subject' | 'estimate_minutes' | 'assigned_to' | 'assigned_name'
  >;
  readonly starts_at?: string;
}

const names = ['user_id', 'ticket_id', 'kind', 'starts_at', 'ends_at', 'note', 'employee_number'];
const touches = ['/dispatch/', '/tickets.php'];
const USUAL_MINUTES = 60;
const USUAL_HOUR = 9;

const local = (at: Date): string =>
  `${dayOf(at)}T${at.toLocaleTimeString('sv', { hour: '2-digit', minute: '2-digit' })}`;

/** Use midnight for a day without a time. */
function startOf({ appointment, starts_at }: Draft): Date {
  const at = new Date(appointment?.starts_at ?? starts_at ?? new Date());
  if (!appointment && at.getHours() === 0) at.setHours(USUAL_HOUR);
  return at;
}

export function AppointmentForm({ draft, writes, done }: { draft: Draft; writes: boolean; done: () => void }) {
  const { appointment, ticket } = draft;
  const [kind, setKind] = useState<string>(appointment?.kind ?? 'work');
  const [ticketId, setTicketId] = useState(appointment?.ticket_id ?? ticket?.ticket_id ?? null);
  const its = useItem('GET /tickets.php?id={id}', { id: ticketId ?? 0 }, { enabled: ticketId !== null });
  const invites = kind === 'visit' || kind === 'call';
  const finish = useFinish(done);
  const create = useChange('POST /dispatch/appointments.php', {
    quiet: true,
    touches,
    done: () => finish(t('Planned')),
  });
  const update = useChange('PUT /dispatch/appointments.php?id={id}', {
    quiet: true,
    touches,
    done: () => finish(t('Saved')),
  });
  const start = startOf(draft);
  const length = (ticket?.estimate_minutes ?? USUAL_MINUTES) * 60_000;
  const end = appointment ? new Date(appointment.ends_at) : new Date(start.getTime() + Math.min(length, 8 * 3_600_000));
  const submit = (given: FormData, opened: FormData) => {
    const { starts_at, ends_at, note } = texts(given, 'starts_at', 'ends_at', 'note');
    const body = {
      user_id: Number(given.get('user_id')),
      kind: kind as Appointment['kind'],
      starts_at: new Date(starts_at).toISOString(),
      ends_at: new Date(ends_at).toISOString(),
      note,
      employee_number: invites ? Number(given.get('employee_number')) || null : null,
    };
    if (!appointment)
      return create.mutate({ body: { ...body, ticket_id: Number(given.get('ticket_id')) || ticketId } });
    // What was not edited may have been moved meanwhile, and its contact is not shown until the ticket is loaded.
    const uninvited = !invites && appointment.employee_number !== null && { employee_number: null };
    const changes = { ...editsOf(given, opened, schema, names), ...uninvited };
    if (Object.keys(changes).length === 0) done();
    else update.mutate({ id: appointment.appointment_id, body: changes });
  };
  const cancel = async ({ appointment_id: id }: Appointment) => {
    await call('DELETE /dispatch/appointments.php?id={id}', { id });
    await stale(queries, touches);
    finish(t('Appointment cancelled'));
  };
  if (!writes && appointment) return <p>{said(appointment)}</p>;
  return (
    <>
      {appointment && (
        <p>
          {appointment.ticket_id !== null && (
            <Link href={addressWith('/tickets/:quoted', appointment.ticket_id)}>{titleOf(appointment)}</Link>
          )}{' '}
          <IconButton
            icon="trash"
            label={t('Cancel appointment')}
            className="quiet"
            onClick={() => void cancel(appointment).catch(toastError)}
          />
        </p>
      )}
      <Form
        submit={appointment ? t('Save') : t('Plan')}
        busy={create.isPending || update.isPending || (!appointment && invites && its.isLoading)}
        error={create.error ?? update.error}
        onCancel={done}
        onSubmit={submit}
      >
        {!appointment && (
          <RecordField
            type="ticket"
            name="ticket_id"
            label={t('Ticket')}
            value={ticket?.ticket_id}
            shown={ticket && `${ticket.ticket_number} ${ticket.subject}`}
            onPick={(picked) => setTicketId(picked ? Number(picked.id) : null)}
          />
        )}
        <RecordField
          type="technician"
          name="user_id"
          label={t('Technician')}
          required
          value={appointment?.user_id ?? ticket?.assigned_to}
          shown={appointment?.technician_name ?? ticket?.assigned_name ?? undefined}
        />
        <SelectField
          name="kind"
          label={t('Kind')}
          required
          value={kind}
          choices={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
          onChoose={setKind}
        />
        <div className="pair">
          <TextField name="starts_at" label={t('Starts')} type="datetime-local" required value={local(start)} />
          <TextField name="ends_at" label={t('Ends')} type="datetime-local" required value={local(end)} />
        </div>
        {invites && its.data && (
          <RecordField
            key={its.data.company_number}
            type="contact"
            name="employee_number"
            label={t('Contact to invite')}
            hint={t('Gets an email for the appointment and can confirm or decline it.')}
            value={appointment ? appointment.employee_number : its.data.requester_employee_number}
            where={{ company_number: its.data.company_number }}
          />
        )}
        <TextField name="note" label={t('Note')} max={255} value={appointment?.note} />
      </Form>
    </>
  );
}
