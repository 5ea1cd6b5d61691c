// The form of a recurring ticket, with a preview of its next dates.
import {
  Field,
  Form,
  RecordField,
  RecordsField,
  rawText,
  SelectField,
  TextField,
  useItem,
  useRested,
  type Args,
  type Data,
  t,
  locale,
  localToday,
} from '@keelson/web';
import { useState } from 'react';
import { frequencies, monthDays, positions, rhythmOf, ruleOf, usual, weekdays, type Rhythm } from './rhythm.tsx';

export type Recurring = Data<'GET /recurring-tickets.php?id={id}'>;
export type Body = Args<'POST /recurring-tickets.php'>['body'];
type ClosedDays = Recurring['on_closed_days'];

export const closedDays: Readonly<Record<ClosedDays, string>> = {
  create: t('Create the ticket anyway'),
  skip: t('Skip the date'),
  move: t('Move to the next open day'),
};

/** The fields that the preview depends on. */
interface When {
  readonly starts_on: string;
  readonly time: string;
  readonly calendar_id: number | undefined;
  readonly on_closed_days: ClosedDays;
}

interface RecurringFormProps {
  readonly recurring?: Recurring;
  readonly submit: string;
  readonly busy: boolean;
  readonly error: Error | null;
  /** Takes the whole form, and the recurring ticket as it was when the form was opened. */
  readonly onSubmit: (body: Body, opened: Recurring | undefined) => void;
}

export function RecurringForm({ recurring, submit, busy, error, onSubmit }: RecurringFormProps) {
  const [opened] = useState(recurring);
  const known = recurring ? rhythmOf(recurring.rrule) : usual;
  const [rhythm, setRhythm] = useState<Rhythm | undefined>(known);
  const [companies, setCompanies] = useState<readonly number[]>(recurring?.company_numbers ?? []);
  const [when, setWhen] = useState<When>({
    starts_on: recurring?.starts_on ?? localToday(),
    time: recurring?.time ?? '09:00',
    calendar_id: recurring?.calendar_id ?? undefined,
    on_closed_days: recurring?.on_closed_days ?? 'create',
  });
  const [visits, setVisits] = useState(recurring !== undefined && recurring.visit_user_id !== null);
  const [company, ...others] = companies;
  const isContactOf = company === recurring?.company_numbers[0];
  const rrule = rhythm ? ruleOf(rhythm) : (recurring?.rrule ?? '');
  const save = (given: FormData) => {
    const body = {
      name: rawText(given, 'name').trim(),
      template_id: Number(given.get('template_id')),
      company_numbers: [...companies],
      ...{ ...when, calendar_id: when.calendar_id ?? null, rrule },
      ...(visits
        ? {
            visit_user_id: Number(given.get('visit_user_id')) || null,
            visit_minutes: Number(given.get('visit_minutes')),
            visit_days_ahead: Number(given.get('visit_days_ahead')),
            visit_employee_number: Number(given.get('visit_employee_number')) || null,
          }
        : { visit_user_id: null, visit_employee_number: null }),
    };
    onSubmit(body, opened);
  };
  return (
    <Form submit={submit} busy={busy} error={error} onCancel={() => history.back()} onSubmit={save}>
      <TextField name="name" label={t('Name')} value={recurring?.name} required max={255} />
      <RecordField
        type="ticket_template"
        name="template_id"
        label={t('Template')}
        required
        value={recurring?.template_id}
        shown={recurring?.template_name}
      />
      <RecordsField
        type="company"
        name="company_numbers"
        label={t('Companies')}
        another={t('Another company')}
        remove={t('Remove company')}
        hint={t('Each company gets its own ticket on each date.')}
        required
        chosen={companies}
        onChange={setCompanies}
      />
      <div className="pair">
        <Control
          name="starts_on"
          label={t('First date')}
          type="date"
          value={when.starts_on}
          onType={(starts_on) => setWhen({ ...when, starts_on })}
        />
        <Control
          name="time"
          label={t('Time')}
          type="time"
          value={when.time}
          onType={(time) => setWhen({ ...when, time })}
        />
      </div>
      {rhythm ? (
        <RhythmFields rhythm={rhythm} onChange={setRhythm} />
      ) : (
        <SelectField
          name="rhythm"
          label={t('Repeats')}
          required
          value="kept"
          choices={[
            { value: 'kept', label: recurring?.schedule ?? '' },
            { value: 'new', label: t('Choose another schedule') },
          ]}
          onChoose={(value) => value === 'new' && setRhythm(usual)}
        />
      )}
      <div className="pair">
        <RecordField
          type="level_calendar"
          name="calendar_id"
          label={t('Business hours')}
          hint={t('Sets the time zone and the closed days. Leave blank for the default calendar.')}
          value={when.calendar_id}
          shown={recurring?.calendar_name ?? undefined}
          onPick={(picked) => setWhen({ ...when, calendar_id: picked && Number(picked.id) })}
        />
        <SelectField
          name="on_closed_days"
          label={t('On holidays and other closed days')}
          required
          value={when.on_closed_days}
          choices={Object.entries(closedDays).map(([value, label]) => ({ value, label }))}
          onChoose={(value) => setWhen({ ...when, on_closed_days: value as ClosedDays })}
        />
      </div>
      <SelectField
        name="visits"
        label={t('Visit the customer')}
        hint={t('Plans an appointment on each date. Its ticket is created the given number of days before.')}
        required
        value={visits ? 'yes' : 'no'}
        choices={[
          { value: 'no', label: t('No') },
          { value: 'yes', label: t('Yes') },
        ]}
        onChoose={(value) => setVisits(value === 'yes')}
      />
      {visits && (
        <>
          <RecordField
            type="technician"
            name="visit_user_id"
            label={t('Technician')}
            required
            value={recurring?.visit_user_id}
            shown={recurring?.visit_technician_name ?? undefined}
          />
          <div className="pair">
            <TextField
              name="visit_minutes"
              label={t('Minutes')}
              type="number"
              required
              value={String(recurring?.visit_minutes ?? 60)}
            />
            <TextField
              name="visit_days_ahead"
              label={t('Days ahead')}
              type="number"
              required
              value={String(recurring?.visit_days_ahead ?? 14)}
            />
          </div>
          {company !== undefined && others.length === 0 && (
            <RecordField
              key={company}
              type="contact"
              name="visit_employee_number"
              label={t('Contact to invite')}
              hint={t('Gets an email for each appointment and can confirm, move or decline it.')}
              {...(isContactOf && {
                value: recurring?.visit_employee_number,
                shown: recurring?.visit_contact_name ?? undefined,
              })}
              where={{ company_number: company }}
            />
          )}
        </>
      )}
      <NextDates {...when} rrule={rrule} />
    </Form>
  );
}

function RhythmFields({ rhythm, onChange }: { rhythm: Rhythm; onChange: (rhythm: Rhythm) => void }) {
  const { freq, interval, days, monthDay, date, position, weekday, ends, until, count } = rhythm;
  const set = (change: Partial<Rhythm>) => onChange({ ...rhythm, ...change });
  const choices = (of: Readonly<Record<string, string>>) =>
    Object.entries(of).map(([value, label]) => ({ value, label }));
  const weekdayChoices = weekdays.map(([value, label]) => ({ value, label }));
  return (
    <>
      <div className="pair">
        <Control
          name="interval"
          label={t('Every')}
          type="number"
          value={String(interval)}
          onType={(text) => set({ interval: Math.max(1, Number(text)) })}
        />
        <SelectField
          name="freq"
          label={t('Unit')}
          required
          value={freq}
          choices={choices(frequencies)}
          onChoose={(value) => set({ freq: value as Rhythm['freq'] })}
        />
      </div>
      {freq === 'WEEKLY' && (
        <fieldset className="weekdays">
          <legend>{t('On', {}, 'weekdays')}</legend>
          {weekdays.map(([value, label]) => (
            <label key={value}>
              <input
                type="checkbox"
                checked={days.includes(value)}
                onChange={() =>
                  set({
                    days: weekdays.map(([each]) => each).filter((each) => (each === value) !== days.includes(each)),
                  })
                }
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
      {freq === 'MONTHLY' && (
        <SelectField
          name="month_day"
          label={t('Day')}
          required
          value={monthDay}
          choices={choices(monthDays)}
          onChoose={(value) => set({ monthDay: value as Rhythm['monthDay'] })}
        />
      )}
      {freq === 'MONTHLY' && monthDay === 'date' && (
        <Control
          name="month_date"
          label={t('Day of the month')}
          hint={date > 28 ? t('Months without this day are skipped.') : undefined}
          type="number"
          value={String(date)}
          onType={(text) => set({ date: Math.min(31, Math.max(1, Number(text))) })}
        />
      )}
      {freq === 'MONTHLY' && monthDay === 'weekday' && (
        <div className="pair">
          <SelectField
            name="position"
            label={t('Week')}
            required
            value={position}
            choices={positions}
            onChoose={(value) => set({ position: value })}
          />
          <SelectField
            name="weekday"
            label={t('Weekday')}
            required
            value={weekday}
            choices={weekdayChoices}
            onChoose={(value) => set({ weekday: value })}
          />
        </div>
      )}
      <div className="pair">
        <SelectField
          name="ends"
          label={t('Ends')}
          required
          value={ends}
          choices={choices({ never: t('Never'), on: t('On a date'), after: t('After a number of dates') })}
          onChoose={(value) => set({ ends: value as Rhythm['ends'] })}
        />
        {ends === 'on' && (
          <Control
            name="until"
            label={t('Last date')}
            type="date"
            value={until}
            onType={(text) => set({ until: text })}
          />
        )}
        {ends === 'after' && (
          <Control
            name="count"
            label={t('Dates')}
            type="number"
            value={String(count)}
            onType={(text) => set({ count: Math.max(1, Number(text)) })}
          />
        )}
      </div>
    </>
  );
}

interface ControlProps {
  readonly name: string;
  readonly label: string;
  readonly type: 'date' | 'time' | 'number';
  readonly value: string;
  readonly hint?: string | undefined;
  readonly onType: (text: string) => void;
}

/** A required field whose text the form needs on every keystroke. */
function Control({ name, label, type, value, hint, onType }: ControlProps) {
  return (
    <Field name={name} label={label} required hint={hint}>
      {(control) => (
        <input
          {...control}
          className="input"
          type={type}
          min={type === 'number' ? 1 : undefined}
          defaultValue={value}
          onChange={(event) => event.target.value && onType(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Preview before saving: the schedule in words and its next dates. */
function NextDates(asked: When & { readonly rrule: string }) {
  const settled = useRested(JSON.stringify(asked), 300);
  const { data, error } = useItem('GET /recurring-tickets.php?action=preview', JSON.parse(settled) as typeof asked);
  return (
    <div className="next-dates" aria-live="polite">
      {error ? (
        <p className="tone-muted">{t('No dates with this schedule.')}</p>
      ) : (
        data && (
          <>
            <b>{data.schedule}</b>
            <Dates dates={data.dates} zone={data.time_zone} />
          </>
        )
      )}
    </div>
  );
}

export function Dates({
  dates,
  zone,
}: {
  dates: Data<'GET /recurring-tickets.php?action=preview'>['dates'];
  zone: string;
}) {
  if (dates.length === 0) return <p className="tone-muted">{t('No more dates.')}</p>;
  const form = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone: zone });
  return (
    <>
      <ol>
        {dates.map((each: { at: string; moved: boolean }) => (
          <li key={each.at}>
            {form.format(new Date(each.at))}
            {each.moved && <span className="tone-muted">{t(', moved from a closed day')}</span>}
          </li>
        ))}
      </ol>
      <p className="tone-muted">{t('Time zone: {zone}', { zone })}</p>
    </>
  );
}
