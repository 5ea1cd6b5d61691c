// Form fields of a workflow action.
import {
  CheckField,
  plainText,
  rawText,
  RecordField,
  RecordName,
  SchemaFields,
  SelectField,
  TextField,
  useItem,
  useSession,
  valuesOf,
  words,
  type BodySchema,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { priorityNames } from './condition-kind.tsx';

type Kind = 'text' | 'lines' | 'check' | 'status' | 'priority' | 'technician' | 'company' | 'team' | 'secret';

interface ActionField {
  readonly name: string;
  readonly label: string;
  readonly kind: Kind;
  readonly required?: true;
  readonly hint?: string;
}

const field = (name: string, label: string, kind: Kind, more: Partial<ActionField> = {}): ActionField => ({
  name,
  label,
  kind,
  ...more,
});
const required = { required: true } as const;
const withPlaceholders = {
  ...required,
  hint: t('Supports placeholders such as {name}.', { name: '{{ ticket.subject }}' }),
} as const;

const types: ReadonlyMap<string, { readonly label: string; readonly fields: readonly ActionField[] }> = new Map([
  ['set_status', { label: t('Set status'), fields: [field('status', t('Status'), 'status', required)] }],
  ['set_priority', { label: t('Set priority'), fields: [field('priority', t('Priority'), 'priority', required)] }],
  [
    'set_team',
    { label: t('Set team'), fields: [field('team_id', t('Team'), 'team', { hint: t('Leave blank for no team.') })] },
  ],
  [
    'assign',
    {
      label: t('Assign'),
      fields: [field('assigned_to', t('Technician'), 'technician', { hint: t('Leave blank for no assignee.') })],
    },
  ],
  [
    'add_comment',
    {
      label: t('Add comment'),
      fields: [
        field('comment', t('Comment'), 'lines', withPlaceholders),
        field('is_internal', t('Internal note (hidden from customers)'), 'check'),
      ],
    },
  ],
  [
    'create_ticket',
    {
      label: t('Create ticket'),
      fields: [
        field('subject', t('Subject'), 'text', withPlaceholders),
        field('description', t('Description'), 'lines'),
        field('company_number', t('Company'), 'company', { hint: t('Leave blank to use the company of the record.') }),
        field('priority', t('Priority'), 'priority'),
        field('job_type', t('Category'), 'text'),
        field('assigned_to', t('Technician'), 'technician'),
        field('team_id', t('Team'), 'team'),
      ],
    },
  ],
  [
    'create_child',
    {
      label: t('Create child ticket'),
      fields: [
        field('subject', t('Subject'), 'text', withPlaceholders),
        field('description', t('Description'), 'lines'),
        field('priority', t('Priority'), 'priority'),
        field('job_type', t('Category'), 'text'),
        field('assigned_to', t('Technician'), 'technician'),
        field('team_id', t('Team'), 'team'),
      ],
    },
  ],
  [
    'send_email',
    {
      label: t('Send mail'),
      fields: [
        field('to', t('Recipients'), 'text', {
          ...required,
          hint: t('requester, assignee, company, technician, or an email address.'),
        }),
        field('user_id', t('Technician'), 'technician', { hint: t('Required if the recipient is technician.') }),
        field('subject', t('Subject'), 'text', withPlaceholders),
        field('body', t('Text'), 'lines', required),
      ],
    },
  ],
  [
    'call_webhook',
    {
      label: t('Call webhook'),
      fields: [
        field('url', t('Address'), 'text', required),
        field('secret', t('Secret'), 'secret', {
          hint: t('Leave blank to keep the current secret or generate a new one.'),
        }),
      ],
    },
  ],
]);

/** Returns the label and fields of an action type; no fields if its plugin was removed. */
export const actionType = (type: string) => types.get(type) ?? { label: words(type), fields: [] };

export type Action = Readonly<Record<string, unknown>>;

/** The actions of plugins, by name. */
export function usePluginActions(): ReadonlyMap<string, { readonly title: string; readonly input: BodySchema }> {
  const { data } = useItem('GET /workflows.php?action=actions');
  return new Map(
    data?.actions.map(({ name, title, input }) => [name, { title, input: input as unknown as BodySchema }]),
  );
}

export function ActionFields({ action, at }: { action: Action | undefined; at: string }) {
  const [type, setType] = useState(keyOf(action) || 'set_status');
  const ofPlugins = usePluginActions();
  // The teams module may not be installed.
  const hasTeams = useSession().records.some((each) => each.type === 'team');
  return (
    <div className="step-fields">
      <SelectField
        name={`${at}.type`}
        label={t('Action')}
        value={type}
        choices={[
          ...[...types]
            .filter(([, { fields }]) => hasTeams || fields[0]?.kind !== 'team')
            .map(([value, { label }]) => ({ value, label })),
          ...[...ofPlugins].map(([value, { title: label }]) => ({ value, label })),
        ]}
        onChoose={setType}
        required
      />
      {actionType(type)
        .fields.filter(({ kind }) => hasTeams || kind !== 'team')
        .map((each) => (
          <OneField key={`${type} ${each.name}`} of={each} at={at} value={action?.[each.name]} />
        ))}
      <PluginFields key={type} input={ofPlugins.get(type)?.input} at={at} action={action} />
    </div>
  );
}

interface PluginFieldsProps {
  readonly input: BodySchema | undefined;
  readonly at: string;
  readonly action: Action | undefined;
}

function PluginFields({ input, at, action }: PluginFieldsProps) {
  if (!input) return null;
  const values = (action?.['input'] ?? {}) as Readonly<Record<string, unknown>>;
  return (
    <>
      {/* How values are parsed when the form is submitted. */}
      <input type="hidden" name={`${at}.fields`} value={JSON.stringify(input)} />
      <SchemaFields
        schema={input}
        names={Object.keys(input.fields)}
        values={values}
        at={`${at}.input.`}
        focus={false}
      />
    </>
  );
}

/** Returns the type of an action; for a plugin's action its name, which contains a dot. */
export function keyOf(action: Action | undefined): string {
  return plainText(action?.[action['type'] === 'plugin_action' ? 'name' : 'type']);
}

const statuses = ['open', 'in_progress', 'on_hold', 'closed'].map((value) => ({ value, label: words(value) }));
const priorities = priorityNames.map((label, i) => ({ value: i + 1, label }));

/** Displays the value of a field. */
export function ActionValue({ of: { kind }, value }: { of: ActionField; value: unknown }) {
  const text = plainText(value);
  switch (kind) {
    case 'check':
      return value === true ? t('Yes') : t('No');
    case 'status':
      return words(text);
    case 'priority':
      return priorities.find((each) => each.value === value)?.label ?? text;
    case 'technician':
    case 'company':
    case 'team':
      return value ? <RecordName type={kind} id={text} /> : kind === 'team' ? t('No team') : t('No one');
    case 'lines':
    case 'secret':
    case 'text':
      return text;
  }
}

function OneField({ of, at, value }: { of: ActionField; at: string; value: unknown }) {
  const { kind, label, hint, required: must = false } = of;
  const common = { name: `${at}.${of.name}`, label, required: must, ...(hint && { hint }) };
  const text = plainText(value);
  switch (kind) {
    case 'check':
      return <CheckField name={common.name} label={label} checked={value === true} />;
    case 'status':
      return <SelectField {...common} value={text} choices={statuses} />;
    case 'priority':
      return <SelectField {...common} value={text} choices={priorities} />;
    case 'technician':
    case 'company':
    case 'team':
      return <RecordField type={kind} {...common} value={text} />;
    case 'lines':
      return <TextField {...common} value={text} lines={4} />;
    case 'secret':
      return <TextField {...common} type="password" autoComplete="new-password" />;
    case 'text':
      return <TextField {...common} value={text} />;
  }
}

/** Builds the request payload: empty fields are omitted, except for an assignment to no one or no team. */
export function readAction(given: FormData, at: string): Action {
  const type = rawText(given, `${at}.type`);
  if (type.includes('.')) return readPluginAction(given, at, type);
  const read = actionType(type).fields.flatMap(({ name, kind }): [string, unknown][] => {
    const text = rawText(given, `${at}.${name}`).trim();
    if (kind === 'check') return [[name, text === 'true']];
    if (text === '') return ['assign', 'set_team'].includes(type) ? [[name, null]] : [];
    return [[name, ['priority', 'technician', 'company', 'team'].includes(kind) ? Number(text) : text]];
  });
  return { type, ...Object.fromEntries(read) };
}

function readPluginAction(given: FormData, at: string, name: string): Action {
  const fields = rawText(given, `${at}.fields`);
  if (fields === '') return { type: 'plugin_action', name };
  const schema = JSON.parse(fields) as BodySchema;
  const names = Object.keys(schema.fields);
  const its = new FormData();
  const prefix = `${at}.input.`;
  for (const [key, value] of given) if (key.startsWith(prefix)) its.append(key.slice(prefix.length), value);
  return { type: 'plugin_action', name, input: valuesOf(its, schema, names) };
}
