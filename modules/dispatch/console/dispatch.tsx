// The dispatch board: a day or week view with one row per person, and the unplanned tickets. Tickets and appointments
// can be dragged; their forms do the same by keyboard, and Shift with an arrow key moves an appointment.
import {
  Bones,
  Button,
  call,
  Dialog,
  Failed,
  Filter,
  IconButton,
  queries,
  Sheet,
  stale,
  toast,
  toastError,
  useAllRows,
  useChanges,
  useItem,
  useMay,
  useSearchParams,
  t,
  locale,
} from '@keelson/web';
import { useCallback, useState } from 'react';
import { AppointmentForm, type Draft } from './appointment-form.tsx';
import { DayBoard } from './day-board.tsx';
import { Feeds } from './feeds.tsx';
import { DAY_MS, dayOf, midnight, mondayOf, type Appointment } from './look.tsx';
import { Unplanned, type Ticket } from './unplanned.tsx';
import { WeekBoard } from './week-board.tsx';

const USUAL_MINUTES = 60;
/** Records whose changes refresh the board. */
const shown: ReadonlySet<string> = new Set(['absence', 'appointment', 'rota_override', 'team_member', 'ticket']);

const CHANGE = 'PUT /dispatch/appointments.php?id={id}';

export default function Dispatch() {
  const may = useMay();
  const writes = may('tickets:write');
  const [params, setParams] = useSearchParams();
  const week = params.get('by') === 'week';
  const asked = params.get('day') ?? dayOf(new Date());
  const day = week ? mondayOf(asked) : asked;
  const days = week ? 7 : 1;
  const team = params.get('team') ?? '';
  const { rows: teams } = useAllRows('GET /teams.php', {}, { enabled: may('teams:read') });
  const { data, error, refetch } = useItem('GET /dispatch/board.php', {
    from: midnight(day).toISOString(),
    until: midnight(day, days).toISOString(),
    ...(team && { team_id: Number(team) }),
  });
  useChanges(
    useCallback(({ type }) => {
      if (shown.has(type)) void stale(queries, ['/dispatch/']);
    }, []),
  );
  const [subscribing, setSubscribing] = useState(false);
  const [draft, setDraft] = useState<Draft>();
  const set = (change: Readonly<Record<string, string>>) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [name, value] of Object.entries(change)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  const people = data ?? [];
  const appointments = people.flatMap((each) => each.appointments);
  const [tickets, setTickets] = useState<readonly Ticket[]>([]);
  /** Handles a drop: plans a ticket, or moves an appointment to another person or time. */
  const drop = (dropped: string, user_id: number, starts_at: Date) => {
    const [what, id] = dropped.split(':');
    const found = appointments.find((each) => what === 'appointment' && each.appointment_id === Number(id));
    if (found) return void move(found, user_id, starts_at);
    const ticket = tickets.find((each) => each.ticket_id === Number(id));
    if (ticket) void plan(ticket, user_id, starts_at);
  };
  const board = { people, day, writes, onDrop: drop, onOpen: (each: Appointment) => setDraft({ appointment: each }) };
  return (
    <Sheet
      title={t('Dispatch')}
      acts={
        <>
          <Button icon="calendar" onClick={() => setSubscribing(true)}>
            {t('Calendar feeds')}
          </Button>
          {writes && (
            <Button icon="plus" onClick={() => setDraft({ starts_at: midnight(day).toISOString() })}>
              {t('Plan time')}
            </Button>
          )}
        </>
      }
    >
      <div className="dispatch-bar">
        <IconButton
          icon="chevron-left"
          label={week ? t('Previous week') : t('Previous day')}
          onClick={() => set({ day: dayOf(midnight(day, -days)) })}
        />
        <Button onClick={() => set({ day: '' })}>{t('Today')}</Button>
        <IconButton
          icon="chevron-right"
          label={week ? t('Next week') : t('Next day')}
          onClick={() => set({ day: dayOf(midnight(day, days)) })}
        />
        <h2>{titleOf(day, week)}</h2>
        <span className="dispatch-by">
          <Button aria-pressed={!week} onClick={() => set({ by: '' })}>
            {t('Day')}
          </Button>
          <Button aria-pressed={week} onClick={() => set({ by: 'week' })}>
            {t('Week')}
          </Button>
        </span>
        {teams.length > 0 && (
          <Filter
            label={t('Team')}
            value={team}
            choices={teams.map(({ team_id, name }) => ({
              value: String(team_id),
              label: name,
            }))}
            onChoose={(value) => set({ team: value })}
          />
        )}
      </div>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <div className="dispatch">
          <div className="dispatch-board" tabIndex={0} role="region" aria-label={t('Dispatch board')}>
            {!data ? <Bones /> : week ? <WeekBoard {...board} /> : <DayBoard {...board} />}
          </div>
          <Unplanned
            team={team}
            writes={writes}
            onLoad={setTickets}
            onPlan={(ticket) => setDraft({ ticket, starts_at: midnight(day).toISOString() })}
          />
        </div>
      )}
      <Dialog title={t('Calendar feeds')} open={subscribing} onClose={() => setSubscribing(false)}>
        {subscribing && <Feeds />}
      </Dialog>
      <Dialog
        title={draft?.appointment ? t('Appointment') : t('Plan time')}
        open={draft !== undefined}
        onClose={() => setDraft(undefined)}
      >
        {draft && <AppointmentForm draft={draft} writes={writes} done={() => setDraft(undefined)} />}
      </Dialog>
    </Sheet>
  );
}

const refresh = () => stale(queries, ['/dispatch/', '/tickets.php']);

async function plan(
  { ticket_id, estimate_minutes }: Pick<Ticket, 'ticket_id' | 'estimate_minutes'>,
  user_id: number,
  starts_at: Date,
): Promise<void> {
  const ends_at = new Date(starts_at.getTime() + lengthOf(estimate_minutes));
  const body = { user_id, ticket_id, starts_at: starts_at.toISOString(), ends_at: ends_at.toISOString() };
  await call('POST /dispatch/appointments.php', { body }).then(() => toast(t('Planned')), toastError);
  await refresh();
}

/** Estimates longer than a day are planned as several appointments, of which this is the first. */
const lengthOf = (minutes: number | null): number => Math.min((minutes ?? USUAL_MINUTES) * 60_000, DAY_MS / 3);

async function move(appointment: Appointment, user_id: number, starts_at: Date): Promise<void> {
  const { appointment_id: id, starts_at: from, ends_at: to, user_id: before } = appointment;
  const ends_at = new Date(starts_at.getTime() + Date.parse(to) - Date.parse(from)).toISOString();
  const body = { user_id, starts_at: starts_at.toISOString(), ends_at };
  const undo = { user_id: before, starts_at: from, ends_at: to };
  const again = () => void call(CHANGE, { id, body: undo }).catch(toastError).then(refresh);
  await call(CHANGE, { id, body }).then(() => toast(t('Moved'), { act: { title: t('Undo'), run: again } }), toastError);
  await refresh();
}

function titleOf(day: string, week: boolean): string {
  const form = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  const first = midnight(day).toLocaleDateString(locale, week ? form : { ...form, weekday: 'long' });
  return week ? `${first} – ${midnight(day, 6).toLocaleDateString(locale, form)}` : first;
}
