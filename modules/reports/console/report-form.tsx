// Report builder: source, list or groups, with a live preview.
import {
  Bones,
  Button,
  Card,
  CheckField,
  Failed,
  Field,
  Form,
  IconButton,
  number,
  RecordPage,
  SelectField,
  SelectSeveralField,
  TextField,
  texts,
  useAnswer,
  useItem,
  useRested,
  words,
  type Data,
  t,
  withinSentence,
} from '@keelson/web';
import { useState, type ReactNode } from 'react';
import {
  bodyOf,
  comparisonsOf,
  draftOf,
  emptyDraft,
  groupsOf,
  isDate,
  isNumeric,
  isSeveral,
  operatorName,
  sortsOf,
  usualColumns,
  valuesIn,
  withOperator,
  type Comparison,
  type FigureDraft,
  type FilterDraft,
  type QueryDraft,
  type SourceField,
} from './report-query.ts';
import { ReportResult } from './report-result.tsx';
import { cronOf, rhythmOf, usualRhythm } from './rhythm.ts';

type Report = Data<'GET /reports.php?id={id}'>;
type Preview = Data<'POST /reports.php?action=preview'>;
export type ReportBody = ReturnType<typeof bodyOf> & {
  name: string;
  description: string;
  schedule: { cron: string; format: 'csv' | 'pdf' | 'xlsx'; recipients: number[] } | null;
};

interface ReportFormProps {
  readonly report?: Report;
  readonly back: { readonly to: string; readonly title: string };
  readonly busy: boolean;
  readonly error: Error | null;
  /** Takes the whole form, and the body with which it was opened. */
  readonly onSave: (body: ReportBody, opened: ReportBody) => void;
}

const PREVIEW = 'POST /reports.php?action=preview';
/** Milliseconds without a change before the preview runs again. */
const REST = 600;

export function ReportForm({ report: stored, back, busy, error, onSave }: ReportFormProps) {
  const [report] = useState(stored);
  const [first] = useState<QueryDraft>(() => (report ? draftOf(report) : emptyDraft('')));
  const sources = useItem('GET /reports/sources.php').data ?? [];
  const [draft, setDraft] = useState(first);
  const source = draft.source || sources.find((each) => each.name === 'tickets')?.name || sources[0]?.name || '';
  const fields = useItem('GET /reports/fields.php?source={source}', { source }, { enabled: source !== '' });
  const { data } = fields;
  const known: readonly SourceField[] = (data?.fields ?? []).map((each) => ({ ...each, label: t(each.label) }));
  // All fields of a source are too many to start with.
  const [chosen, setChosen] = useState(report !== undefined);
  const current = { ...draft, source, fields: chosen ? draft.fields : usualColumns(known) };
  const set = (change: Partial<QueryDraft>) => {
    if (change.fields) setChosen(true);
    setDraft({ ...current, ...change });
  };
  const bodyIn = (given: FormData, query: QueryDraft): ReportBody => {
    const { name, description } = texts(given, 'name', 'description');
    return { name, description, ...bodyOf(query, known), schedule: scheduleIn(given) };
  };
  return (
    <RecordPage title={report ? t('Edit {name}', { name: report.name }) : t('New report')} back={back}>
      <div className="report-builder">
        <Card title={t('Report')}>
          {fields.error && <Failed error={fields.error} retry={() => void fields.refetch()} />}
          {/* Before the fields are known, conditions cannot be complete. */}
          <Form
            submit={t('Save')}
            busy={busy || !data}
            error={error}
            onSubmit={(given, opened) => onSave(bodyIn(given, current), bodyIn(opened, first))}
          >
            <TextField name="name" label={t('Name')} required max={255} value={report?.name} />
            <TextField name="description" label={t('Description')} lines={2} value={report?.description} />
            <Choose
              name="source"
              label={t('Records')}
              value={source}
              choices={sources.map((each) => ({ value: each.name, label: t(each.title) }))}
              onChange={(next) => {
                setChosen(false);
                setDraft(emptyDraft(next));
              }}
            />
            <Filters draft={current} known={known} set={set} />
            <Choose
              name="group_by"
              label={t('Group by')}
              value={draft.group_by}
              none={t('Nothing: list the records')}
              choices={groupsOf(known, t)}
              onChange={(group_by) => set({ group_by, sort: [] })}
            />
            {draft.group_by === '' ? (
              <Columns draft={current} known={known} set={set} />
            ) : (
              <Figures draft={current} known={known} set={set} />
            )}
            <Choose
              name="sort"
              label={t('Order')}
              value={current.sort[0] ? `${current.sort[0].field} ${current.sort[0].order}` : ''}
              none={t('Default')}
              choices={sortsOf(current, known, t)}
              onChange={(chosen) => {
                const [field = '', order] = chosen.split(' ');
                set({ sort: field === '' ? [] : [{ field, order: order === 'desc' ? 'desc' : 'asc' }] });
              }}
            />
            <ScheduleFields schedule={report?.schedule ?? null} />
          </Form>
        </Card>
        <div className="report-preview">{known.length > 0 && <Live draft={current} known={known} />}</div>
      </div>
    </RecordPage>
  );
}

/** The first rows of the current draft. */
function Live({ draft, known }: { draft: QueryDraft; known: readonly SourceField[] }) {
  const rested = useRested(JSON.stringify(bodyOf(draft, known)), REST);
  const { data, error, refetch } = useAnswer(PREVIEW, { body: JSON.parse(rested) as object });
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Bones rows={10} />;
  return <ReportResult run={data as Preview} grouped={draft.group_by !== ''} />;
}

interface ChooseProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly none?: string;
  readonly onChange: (value: string) => void;
}

/** A select bound to the draft. */
function Choose({ name, label, value, choices, none, onChange }: ChooseProps) {
  return (
    <Field name={name} label={label} required>
      {(control) => (
        <select
          {...control}
          required={false}
          className="input"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {none !== undefined && <option value="">{none}</option>}
          {value !== '' && !choices.some((each) => each.value === value) && (
            <option value={value}>{words(value)}</option>
          )}
          {choices.map((each) => (
            <option key={each.value} value={each.value}>
              {each.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface PartProps {
  readonly draft: QueryDraft;
  readonly known: readonly SourceField[];
  readonly set: (change: Partial<QueryDraft>) => void;
}

const nextKey = (rows: readonly { readonly key: number }[]) => Math.max(-1, ...rows.map((each) => each.key)) + 1;

function Filters({ draft: { filters }, known, set }: PartProps) {
  const fields = known.filter((each) => each.filterable);
  const change = (key: number, part: Partial<FilterDraft>) =>
    set({ filters: filters.map((each) => (each.key === key ? { ...each, ...part, stored: undefined } : each)) });
  const add = () => {
    const [first] = fields;
    if (!first) return;
    set({ filters: [...filters, { key: nextKey(filters), ...startOf(first) }] });
  };
  return (
    <Rows label={t('Conditions')} add={t('Add condition')} onAdd={add}>
      {filters.map((filter, index) => {
        const field = fields.find((each) => each.name === filter.field);
        return (
          <Row
            key={filter.key}
            label={t('Condition {number}', { number: index + 1 })}
            onRemove={() => set({ filters: filters.filter((each) => each.key !== filter.key) })}
          >
            <Choose
              name={`filter-${filter.key}-field`}
              label={t('Field')}
              value={filter.field}
              choices={fields.map(({ name, label }) => ({ value: name, label }))}
              onChange={(name) => {
                const next = fields.find((each) => each.name === name);
                if (next) change(filter.key, startOf(next));
              }}
            />
            <Choose
              name={`filter-${filter.key}-operator`}
              label={t('Comparison')}
              value={filter.operator}
              choices={comparisonsOf(field).map((each) => ({ value: each, label: operatorName(field, each, t) }))}
              onChange={(operator) => change(filter.key, withOperator(filter, operator as Comparison))}
            />
            {filter.operator !== 'empty' && filter.operator !== 'not_empty' && (
              <ValueField filter={filter} field={field} onChange={(value) => change(filter.key, { value })} />
            )}
          </Row>
        );
      })}
    </Rows>
  );
}

const startOf = ({ name, operators, type, choices, labels }: SourceField) => ({
  field: name,
  operator: operators[0] ?? ('eq' as const),
  value: type === 'boolean' ? 'true' : (choices?.[0] ?? Object.keys(labels ?? {})[0] ?? ''),
});

interface ValueProps {
  readonly filter: FilterDraft;
  readonly field: SourceField | undefined;
  readonly onChange: (value: FilterDraft['value']) => void;
}

function ValueField({ filter: { key, operator, value }, field, onChange }: ValueProps) {
  const name = `filter-${key}-value`;
  const several = isSeveral(operator);
  const text = typeof value === 'string' ? value : value.join(', ');
  if (!several && field?.type === 'boolean')
    return <Choose name={name} label={t('Value')} value={text} choices={yesAndNo} onChange={onChange} />;
  const choices =
    field?.choices?.map((each) => ({ value: each, label: words(each) })) ??
    (field?.labels && Object.entries(field.labels).map(([number, label]) => ({ value: number, label: t(label) })));
  if (choices && operator === 'in')
    return (
      <SelectSeveralField
        key={field?.name}
        {...{ name, choices, label: t('Value'), required: true, values: valuesIn(value) }}
        onChoose={onChange}
      />
    );
  if (choices && !several)
    return <Choose name={name} label={t('Value')} value={text} choices={choices} onChange={onChange} />;
  const hint =
    operator === 'between' ? t('Two values, separated by a comma') : several ? t('Separated by commas') : undefined;
  return (
    <Field name={name} label={t('Value')} required hint={hint}>
      {(control) => (
        <input
          {...control}
          className="input"
          type={several ? 'text' : isDate(field) && !isMoment(text) ? 'date' : isNumeric(field) ? 'number' : 'text'}
          step={isNumeric(field) ? 'any' : undefined}
          pattern={operator === 'between' ? '[^,]+,[^,]+' : undefined}
          title={hint}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** A moment that was stored by another client, which a field for days would not show. */
const isMoment = (text: string): boolean => /^\d{4}-\d\d-\d\d./.test(text);

const yesAndNo = [
  { value: 'true', label: t('Yes') },
  { value: 'false', label: t('No') },
];

/** The list's columns in the chosen order. */
function Columns({ draft: { fields }, known, set }: PartProps) {
  const toggle = (name: string) =>
    set({ fields: fields.includes(name) ? fields.filter((each) => each !== name) : [...fields, name] });
  return (
    <fieldset className="report-columns">
      <legend>{t('Columns')}</legend>
      <p className="field-hint">
        {fields.length === 0
          ? t('All are shown until you choose some.')
          : t('{count} chosen, in this order.', { count: number(fields.length) })}
      </p>
      {known.map(({ name, label }) => (
        <label key={name}>
          <input type="checkbox" checked={fields.includes(name)} onChange={() => toggle(name)} /> {label}
          {fields.includes(name) && <span className="tone-muted"> {fields.indexOf(name) + 1}</span>}
        </label>
      ))}
    </fieldset>
  );
}

const figureChoices = [
  { value: 'count', label: t('Count') },
  { value: 'sum', label: t('Sum') },
  { value: 'average', label: t('Average') },
];

function Figures({ draft: { figures }, known, set }: PartProps) {
  const summable = known.filter((each) => each.summable).map(({ name, label }) => ({ value: name, label }));
  const change = (key: number, part: Partial<FigureDraft>) =>
    set({ figures: figures.map((each) => (each.key === key ? { ...each, ...part } : each)), sort: [] });
  const add = () => set({ figures: [...figures, { key: nextKey(figures), function: 'count', field: '' }], sort: [] });
  return (
    <Rows label={t('Figures')} add={t('Add figure')} onAdd={add} none={t('Each group is counted.')}>
      {figures.map((figure, index) => (
        <Row
          key={figure.key}
          label={t('Figure {number}', { number: index + 1 })}
          onRemove={() => set({ figures: figures.filter((each) => each.key !== figure.key), sort: [] })}
        >
          <Choose
            name={`figure-${figure.key}-function`}
            label={t('Figure')}
            value={figure.function}
            choices={summable.length > 0 ? figureChoices : figureChoices.slice(0, 1)}
            onChange={(how) =>
              change(figure.key, {
                function: how as FigureDraft['function'],
                field: how === 'count' ? '' : figure.field || (summable[0]?.value ?? ''),
              })
            }
          />
          {figure.function !== 'count' && (
            <Choose
              name={`figure-${figure.key}-field`}
              label={t('Of')}
              value={figure.field}
              choices={summable}
              onChange={(field) => change(figure.key, { field })}
            />
          )}
        </Row>
      ))}
    </Rows>
  );
}

interface RowsProps {
  readonly label: string;
  readonly add: string;
  readonly none?: string;
  readonly onAdd: () => void;
  readonly children: readonly ReactNode[];
}

function Rows({ label, add, none, onAdd, children }: RowsProps) {
  return (
    <fieldset className="form-rows">
      <legend>{label}</legend>
      {children.length === 0 && none && <p className="field-hint">{none}</p>}
      {children}
      <Button size="small" icon="plus" onClick={onAdd}>
        {add}
      </Button>
    </fieldset>
  );
}

function Row({ label, onRemove, children }: { label: string; onRemove: () => void; children: ReactNode }) {
  return (
    <div className="report-row" role="group" aria-label={label}>
      {children}
      <IconButton icon="trash" label={t('Remove {label}', { label: withinSentence(label) })} onClick={onRemove} />
    </div>
  );
}

const rhythms = [
  { value: '', label: t('Never') },
  { value: 'day', label: t('Every day') },
  { value: 'week', label: t('Every week') },
  { value: 'month', label: t('Every month') },
  { value: 'cron', label: t('By a cron expression') },
];
const formats = (['csv', 'xlsx', 'pdf'] as const).map((value) => ({ value, label: value.toUpperCase() }));

const weekdays = [t('Sunday'), t('Monday'), t('Tuesday'), t('Wednesday'), t('Thursday'), t('Friday'), t('Saturday')];

function ScheduleFields({ schedule }: { schedule: Report['schedule'] }) {
  const rhythm = schedule ? rhythmOf(schedule.cron) : undefined;
  const [every, setEvery] = useState<string>(schedule ? (rhythm?.every ?? 'cron') : '');
  const technicians = useItem('GET /tech-status.php').data;
  const { at, weekday, day } = rhythm ?? usualRhythm;
  return (
    <fieldset className="report-schedule">
      <legend>{t('Send by email')}</legend>
      <Choose name="every" label={t('How often')} value={every} choices={rhythms} onChange={setEvery} />
      {every === 'week' && (
        <SelectField
          name="weekday"
          label={t('Day')}
          required
          value={String(weekday)}
          choices={weekdays.map((label, value) => ({ value: String(value), label }))}
        />
      )}
      {every === 'month' && (
        <TextField name="day" label={t('Day of the month')} type="number" required value={day} hint={t('1 to 28')} />
      )}
      {every === 'cron' && <TextField name="cron" label={t('Cron expression')} required value={schedule?.cron} />}
      {['day', 'week', 'month'].includes(every) && (
        <TextField name="at" label={t('Time')} type="time" required value={at} />
      )}
      {every !== '' && (
        <>
          <SelectField name="format" label={t('As')} required value={schedule?.format ?? 'pdf'} choices={formats} />
          <fieldset className="report-columns">
            <legend>{t('Recipients')}</legend>
            {/* Until the technicians are loaded, saving keeps the recipients. */}
            {!technicians &&
              schedule?.recipients.map((each) => <input key={each} type="hidden" name={`to-${each}`} value="true" />)}
            {technicians?.map((each) => (
              <CheckField
                key={each.user_id}
                name={`to-${each.user_id}`}
                label={each.name}
                checked={schedule?.recipients.includes(each.user_id) ?? false}
              />
            ))}
          </fieldset>
        </>
      )}
    </fieldset>
  );
}

function scheduleIn(given: FormData): ReportBody['schedule'] {
  const { every, at, weekday, day, cron, format } = texts(given, 'every', 'at', 'weekday', 'day', 'cron', 'format');
  if (every === '') return null;
  const chosen = [...given.keys()].flatMap((key) => (key.startsWith('to-') ? [Number(key.slice(3))] : []));
  const recipients = chosen.toSorted((a, b) => a - b);
  const made =
    every === 'cron'
      ? cron
      : cronOf({ every: every as 'day' | 'week' | 'month', at, weekday: Number(weekday), day: Number(day) });
  return { cron: made, format: format as 'csv' | 'pdf' | 'xlsx', recipients };
}
