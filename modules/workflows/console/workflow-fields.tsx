// Form fields of a workflow: when, if, then.
import {
  Bones,
  CheckField,
  FormRows,
  rawText,
  SelectField,
  TextField,
  words,
  type Args,
  type Data,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { ActionFields, readAction } from './action-fields.tsx';
import { ConditionFields, readCondition } from './condition-fields.tsx';
import { useComparable, useEventTitles } from './condition-kind.tsx';

type Workflow = Data<'GET /workflows.php?id={id}'>;
type Body = Args<'POST /workflows.php'>['body'];

const triggers = [
  { value: 'event', label: t('An event occurs') },
  { value: 'schedule', label: t('On a schedule') },
  { value: 'manual', label: t('Started manually') },
];

export function WorkflowFields({ workflow }: { workflow?: Workflow }) {
  const [trigger, setTrigger] = useState<string>(workflow?.trigger.type ?? 'event');
  const events = useEventTitles();
  const saved = workflow?.trigger.event;
  const [event, setEvent] = useState(saved ?? '');
  // The event list may load later, or lack the event of a removed plugin.
  const offered = saved && !events.has(saved) ? new Map([[saved, words(saved)], ...events]) : events;
  const choices = [...offered]
    .map(([value, label]) => ({ value, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  const hasRecord = trigger === 'manual' || (trigger === 'event' && events.has(event));
  const fields = useComparable(trigger === 'event' ? event : undefined, { enabled: hasRecord });
  return (
    <>
      <TextField name="name" label={t('Name')} value={workflow?.name} required autoFocus />
      <TextField name="description" label={t('Description')} value={workflow?.description} lines={2} />
      <CheckField name="active" label={t('Active')} checked={workflow?.active ?? true} />
      <SelectField
        name="trigger.type"
        label={t('When')}
        value={trigger}
        choices={triggers}
        onChoose={setTrigger}
        required
      />
      {trigger === 'event' && (
        <SelectField
          key={offered.size}
          name="trigger.event"
          label={t('Event')}
          value={event}
          choices={choices}
          none={t('Choose an event')}
          onChoose={setEvent}
          required
        />
      )}
      {trigger === 'schedule' && (
        <TextField
          name="trigger.every_minutes"
          label={t('Interval in minutes')}
          type="number"
          value={workflow?.trigger.every_minutes}
          required
        />
      )}
      {hasRecord && !fields && <Bones />}
      {trigger !== 'schedule' && (fields || !hasRecord) && (
        <FormRows
          // Conditions compare the fields of the event's record.
          key={`${trigger} ${event}`}
          label={t('If')}
          rows={trigger === workflow?.trigger.type && event === (saved ?? '') ? workflow.conditions : []}
          least={0}
          one="condition"
          add={t('Add condition')}
          className="step-row"
        >
          {(condition, { index }) => (
            <ConditionFields
              condition={condition}
              at={`conditions[${index}]`}
              fields={fields ?? []}
              changes={trigger === 'event'}
            />
          )}
        </FormRows>
      )}
      <FormRows
        label={t('Then')}
        rows={workflow?.actions ?? []}
        least={1}
        one="action"
        add={t('Add action')}
        className="step-row"
      >
        {(action, { index }) => <ActionFields action={action} at={`actions[${index}]`} />}
      </FormRows>
    </>
  );
}

/** Reads the form. The server validates it. */
export function workflowOf(given: FormData): Body {
  const type = rawText(given, 'trigger.type');
  const event = type === 'event' ? { event: rawText(given, 'trigger.event') } : {};
  const every = type === 'schedule' ? { every_minutes: Number(rawText(given, 'trigger.every_minutes')) } : {};
  return {
    name: rawText(given, 'name').trim(),
    description: rawText(given, 'description').trim(),
    active: given.get('active') === 'true',
    trigger: { type, ...event, ...every },
    conditions: rowsIn(given, 'conditions', 'field', (at) => readCondition(given, at)),
    actions: rowsIn(given, 'actions', 'type', (at) => readAction(given, at)),
  } as unknown as Body;
}

/** Reads the rows of the form in order. */
function rowsIn<R>(given: FormData, name: string, marker: string, read: (at: string) => R): R[] {
  const rows: R[] = [];
  for (let i = 0; given.has(`${name}[${i}].${marker}`); i++) rows.push(read(`${name}[${i}]`));
  return rows;
}

const MOST_ROWS = 20;
const members = {
  conditions: ['field', 'operator', 'value'],
  actions:
    'status priority assigned_to comment subject description company_number job_type to user_id body url secret'.split(
      ' ',
    ),
};

/** Names of fields that can show server errors. */
export const workflowNames: readonly string[] = [
  ...['name', 'description', 'trigger.event', 'trigger.every_minutes'],
  ...Object.entries(members).flatMap(([rows, names]) =>
    Array.from({ length: MOST_ROWS }, (_, i) => names.map((each) => `${rows}[${i}].${each}`)).flat(),
  ),
];
