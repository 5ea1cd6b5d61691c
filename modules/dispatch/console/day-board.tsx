// Day view with one row per person. Each half hour is a drop target.
import { dragged, useDrop, t, locale } from '@keelson/web';
import type { KeyboardEvent } from 'react';
import { kinds, midnight, said, STEP_MINUTES, timeOf, titleOf, type Appointment, type Person } from './look.tsx';

export interface BoardProps {
  readonly people: readonly Person[];
  readonly day: string;
  readonly writes: boolean;
  readonly onDrop: (dropped: string, user_id: number, starts_at: Date) => void;
  readonly onOpen: (appointment: Appointment) => void;
}

const HOUR_MS = 3_600_000;
const USUAL = [7, 19] as const;

const hourForm = new Intl.DateTimeFormat(locale, { hour: '2-digit' });

/** Returns `07` or `7 AM`, without a word such as “Uhr”. */
const hourName = (at: number): string =>
  hourForm
    .formatToParts(at)
    .filter(({ type }) => type !== 'literal')
    .map(({ value }) => value)
    .join(' ');

/** The hours to show: the default ones, extended to cover all appointments and business hours. */
function hoursOf(people: readonly Person[], start: number): readonly [from: number, to: number] {
  const spans = people.flatMap((each) => [...(each.working ?? []), ...each.appointments]);
  const inDay = (ms: number) => Math.min(24, Math.max(0, (ms - start) / HOUR_MS));
  const begins = spans.map((each) => Math.floor(inDay(Date.parse(each.starts_at))));
  const ends = spans.map((each) => Math.ceil(inDay(Date.parse(each.ends_at))));
  // Ignore multi-day appointments, which would stretch the view to the whole day.
  return [
    Math.min(USUAL[0], ...begins.filter((each) => each > 0)),
    Math.max(USUAL[1], ...ends.filter((each) => each < 24)),
  ];
}

export function DayBoard(props: BoardProps) {
  const { people, day } = props;
  const start = midnight(day).getTime();
  const [from, to] = hoursOf(people, start);
  const hours = Array.from({ length: to - from }, (_, i) => from + i);
  return (
    <div className="dispatch-day" role="group" aria-label={t('Day')}>
      <div className="dispatch-hours" aria-hidden="true">
        {hours.map((hour) => (
          <span key={hour}>{hourName(start + hour * HOUR_MS)}</span>
        ))}
      </div>
      <ul>
        {people.map((person, index) => (
          <Lane
            key={person.user_id}
            person={person}
            above={people[index - 1]}
            below={people[index + 1]}
            from={start + from * HOUR_MS}
            to={start + to * HOUR_MS}
            {...props}
          />
        ))}
      </ul>
    </div>
  );
}

interface LaneProps extends BoardProps {
  readonly person: Person;
  readonly above: Person | undefined;
  readonly below: Person | undefined;
  /** The first and last instant shown. */
  readonly from: number;
  readonly to: number;
}

function Lane({ person, above, below, from, to, writes, onDrop, onOpen }: LaneProps) {
  const step = STEP_MINUTES * 60_000;
  const place = (each: { readonly starts_at: string; readonly ends_at: string }) => {
    const [first, last] = [Math.max(from, Date.parse(each.starts_at)), Math.min(to, Date.parse(each.ends_at))];
    const share = (ms: number) => `${(100 * ms) / (to - from)}%`;
    return { insetInlineStart: share(first - from), width: share(Math.max(0, last - first)) };
  };
  const inSight = (each: { readonly starts_at: string; readonly ends_at: string }) =>
    Date.parse(each.starts_at) < to && Date.parse(each.ends_at) > from;
  const key = (each: Appointment) => (event: KeyboardEvent) => {
    if (!event.shiftKey || !writes) return;
    const by = { ArrowLeft: -step, ArrowRight: step, ArrowUp: 0, ArrowDown: 0 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const other = event.key === 'ArrowUp' ? above : event.key === 'ArrowDown' ? below : person;
    if (other) onDrop(`appointment:${each.appointment_id}`, other.user_id, new Date(Date.parse(each.starts_at) + by));
  };
  const steps = Array.from({ length: Math.round((to - from) / step) }, (_, i) => from + i * step);
  return (
    <li className="dispatch-lane">
      <div className="dispatch-name">
        <b>{person.name}</b>
        {!person.active && <small className="tone-warn">{t('Inactive')}</small>}
        {person.on_call.map((each) => (
          <small key={each.team_name + each.starts_at}>
            {t('On call: {team_name}', { team_name: each.team_name })}
          </small>
        ))}
        {person.absences.map((each) => (
          <small key={each.starts_at} className="tone-warn">
            {t('Absent')}
            {each.note && `: ${each.note}`}
          </small>
        ))}
      </div>
      <div className="dispatch-track" data-closed={person.working ? true : undefined}>
        {person.working?.filter(inSight).map((each) => (
          <span key={each.starts_at} className="dispatch-open" style={place(each)} aria-hidden="true" />
        ))}
        {person.absences.filter(inSight).map((each) => (
          <span key={each.starts_at} className="dispatch-absent" style={place(each)} aria-hidden="true" />
        ))}
        {steps.map((at) => (
          <Slot
            key={at}
            share={step / (to - from)}
            onDrop={writes ? (id) => onDrop(id, person.user_id, new Date(at)) : undefined}
          />
        ))}
        {person.appointments.filter(inSight).map((each) => (
          <button
            key={each.appointment_id}
            type="button"
            className="dispatch-block"
            data-kind={each.kind}
            data-conflict={each.conflict || undefined}
            data-state={each.confirmation}
            style={place(each)}
            title={said(each)}
            aria-keyshortcuts={writes ? 'Shift+ArrowLeft Shift+ArrowRight Shift+ArrowUp Shift+ArrowDown' : undefined}
            onClick={() => onOpen(each)}
            onKeyDown={key(each)}
            {...(writes && dragged('plan', `appointment:${each.appointment_id}`))}
          >
            {titleOf(each)}
            <small>
              {timeOf(each.starts_at)} {kinds[each.kind]}
              {each.conflict && t(' · Conflict')}
            </small>
            <span className="hidden">{said(each)}</span>
          </button>
        ))}
      </div>
    </li>
  );
}

function Slot({ share, onDrop }: { share: number; onDrop: ((id: string) => void) | undefined }) {
  const drop = useDrop('plan', onDrop);
  return <span className="dispatch-slot" style={{ width: `${100 * share}%` }} {...drop} />;
}
