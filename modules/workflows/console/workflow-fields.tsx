// Form fields of a workflow: when, if, then.
import {
  Bones,
  CheckField,
  FormRows,
  rawText,
  SelectField,
  TextField,
  useItem,
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
  const saved = workflow?.trigger.event ?? '';
  const [event, setEvent] = useState(saved);
  const choices = [...events]
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
          rows={trigger === workflow?.trigger.type && event === saved ? workflow.conditions : []}
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

/** Loads what the fields of a workflow are chosen from. Before, the form could not show all that is stored. */
export function useChoices(workflow: Workflow | undefined) {
  const { type = 'event', event } = workflow?.trigger ?? {};
  const events = useItem('GET /workflows.php?action=events');
  const actions = useItem('GET /workflows.php?action=actions');
  const hasRecord = type === 'manual' || events.data?.events.some((each: { name: string }) => each.name === event);
  const fields = useItem('GET /workflows.php?action=fields', type === 'event' && event ? { event } : {}, {
    enabled: hasRecord === true,
  });
  const needed = [events, actions, ...(hasRecord ? [fields] : [])];
  return {
    loaded: needed.every((each) => each.data !== undefined),
    error: needed.find((each) => each.error)?.error ?? null,
    retry: () => needed.forEach((each) => void each.refetch()),
  };
}

/** The form as it is sent, and as it was opened. */
interface Forms {
  readonly given: FormData;
  readonly opened: FormData;
}

/** Reads the form. Conditions and actions that were not edited stay as they are stored. The server validates it. */
export function workflowOf(forms: Forms, workflow: Workflow | undefined): Body {
  const { given } = forms;
  const type = rawText(given, 'trigger.type');
  const event = type === 'event' ? { event: rawText(given, 'trigger.event') } : {};
  const every = type === 'schedule' ? { every_minutes: Number(rawText(given, 'trigger.every_minutes')) } : {};
  return {
    name: rawText(given, 'name').trim(),
    description: rawText(given, 'description').trim(),
    active: given.get('active') === 'true',
    trigger: { type, ...event, ...every },
    conditions: rowsIn(forms, 'conditions', 'field', readCondition, workflow?.conditions),
    actions: rowsIn(forms, 'actions', 'type', readAction, workflow?.actions),
  } as unknown as Body;
}

/** Reads the rows of the form in order. */
function rowsIn<R>(
  { given, opened }: Forms,
  name: string,
  marker: string,
  read: (form: FormData, at: string) => R,
  stored: readonly R[] = [],
): R[] {
  const unedited = new Map(stored.map((row, i) => [inputIn(opened, `${name}[${i}]`), row]));
  const rows: R[] = [];
  for (let i = 0; given.has(`${name}[${i}].${marker}`); i++) {
    const at = `${name}[${i}]`;
    rows.push(unedited.get(inputIn(given, at)) ?? read(given, at));
  }
  return rows;
}

/** What the form contains in a row: the same text for the same input, wherever the row is. */
const inputIn = (form: FormData, at: string): string =>
  JSON.stringify(
    [...form].flatMap(([key, value]) => (key.startsWith(`${at}.`) ? [[key.slice(at.length), value]] : [])),
  );
