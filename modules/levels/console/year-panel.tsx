// A year of business hours: open days, closed days and holidays.
import { Button, Card, locale, t, useAllRows, type Data } from '@keelson/web';
import { useState } from 'react';
import { monthsOf, stateOf, type DayState } from './year.ts';

type Calendar = Data<'GET /levels/calendars.php?id={id}'>;

const dayName = new Intl.DateTimeFormat(locale, { weekday: 'narrow', timeZone: 'UTC' });
const monthName = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
const fullDay = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'long', timeZone: 'UTC' });
/** Dates of a Monday to Sunday. */
const week = Array.from({ length: 7 }, (_, i) => new Date(Date.UTC(2024, 0, 1 + i)));

const names: Readonly<Record<DayState, string>> = {
  open: t('Working day'),
  closed: t('Closed'),
  holiday: t('Holiday'),
  special: t('Special hours'),
};

export default function YearPanel({ record: { calendar_id, hours } }: { record: Calendar }) {
  const [year, setYear] = useState(() => new Date().getFullYear());
  const { rows } = useAllRows('GET /levels/holidays.php', { calendar_id });
  const open = new Set<string>(hours.map((each) => each.weekday));
  const ofYear = rows.filter(({ day }) => day.startsWith(String(year)));
  const holidays = new Map(ofYear.map((each) => [each.day, each]));
  return (
    <Card title={t('Year')}>
      <p className="year-turn">
        <Button icon="chevron-left" onClick={() => setYear(year - 1)}>
          {t('Previous')}
        </Button>
        <strong>{year}</strong>
        <Button icon="chevron-right" onClick={() => setYear(year + 1)}>
          {t('Next')}
        </Button>
      </p>
      <div className="year">
        {monthsOf(year).map(({ first, weeks }) => (
          <table key={first}>
            <caption>{monthName.format(Date.parse(first))}</caption>
            <thead>
              <tr>
                {week.map((each) => (
                  <th key={each.getTime()} scope="col">
                    {dayName.format(each)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {weeks.map((days) => (
                <tr key={days.find(Boolean)}>
                  {days.map((day, i) => (
                    <Day key={day || i} day={day} state={stateOf(day, open, holidays)} name={holidays.get(day)?.name} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
      <ul className="year-days">
        {ofYear.map(({ holiday_id, day, name, hours: special, opening }) => (
          <li key={holiday_id}>
            <i data-state={special.length > 0 ? 'special' : 'holiday'} /> {fullDay.format(Date.parse(day))}: {name}
            {special.length > 0 && `, ${opening}`}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Day({ day, state, name }: { day: string; state: DayState; name: string | undefined }) {
  if (day === '') return <td />;
  const said = name ?? names[state];
  return (
    <td data-state={state} title={said}>
      {Number(day.slice(8))}
    </td>
  );
}
