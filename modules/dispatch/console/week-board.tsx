// Week view with one row per person. A ticket dropped on a day starts at the beginning of the person's business hours.
import { dragged, useDrop, t, locale } from '@keelson/web';
import type { BoardProps } from './day-board.tsx';
import { dayOf, midnight, said, timeOf, titleOf, type Person } from './look.tsx';

const days = [0, 1, 2, 3, 4, 5, 6];
const USUAL_HOUR = 9;

export function WeekBoard(props: BoardProps) {
  const { people, day } = props;
  return (
    <table className="dispatch-week">
      <thead>
        <tr>
          <th scope="col">{t('Technician')}</th>
          {days.map((later) => (
            <th key={later} scope="col">
              {midnight(day, later).toLocaleDateString(locale, { weekday: 'short', day: 'numeric' })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <tr key={person.user_id}>
            <th scope="row">
              {person.name}
              {!person.active && <small className="tone-warn">{t('Inactive')}</small>}
            </th>
            {days.map((later) => (
              <Cell
                key={later}
                person={person}
                start={midnight(day, later)}
                end={midnight(day, later + 1)}
                {...props}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps extends BoardProps {
  readonly person: Person;
  readonly start: Date;
  readonly end: Date;
}

function Cell({ person, start, end, writes, onDrop, onOpen }: CellProps) {
  const inDay = (each: { readonly starts_at: string; readonly ends_at: string }) =>
    new Date(each.starts_at) < end && new Date(each.ends_at) > start;
  const opens = person.working?.find((each) => dayOf(new Date(each.starts_at)) === dayOf(start));
  const begins = (dropped: string): Date => {
    const moved = person.appointments.find((each) => dropped === `appointment:${each.appointment_id}`);
    if (moved) {
      const at = new Date(moved.starts_at);
      return new Date(start.getFullYear(), start.getMonth(), start.getDate(), at.getHours(), at.getMinutes());
    }
    return opens
      ? new Date(opens.starts_at)
      : new Date(start.getFullYear(), start.getMonth(), start.getDate(), USUAL_HOUR);
  };
  const drop = useDrop('plan', writes ? (id) => onDrop(id, person.user_id, begins(id)) : undefined);
  const absent = person.absences.filter(inDay);
  return (
    <td {...drop} data-closed={person.working && !opens ? true : undefined}>
      {person.on_call.some(inDay) && <small>{t('On call')}</small>}
      {absent.map((each) => (
        <small key={each.starts_at} className="tone-warn">
          {t('Absent')}
          {each.note && `: ${each.note}`}
        </small>
      ))}
      {person.appointments.filter(inDay).map((each) => (
        <button
          key={each.appointment_id}
          type="button"
          className="dispatch-block"
          data-kind={each.kind}
          data-conflict={each.conflict || undefined}
          data-state={each.confirmation}
          title={said(each)}
          onClick={() => onOpen(each)}
          {...(writes && dragged('plan', `appointment:${each.appointment_id}`))}
        >
          {timeOf(each.starts_at)} {titleOf(each)}
          {each.conflict && <small>{t('Conflict')}</small>}
          <span className="hidden">{said(each)}</span>
        </button>
      ))}
    </td>
  );
}
