// Form fields generated from an operation's body schema.
import { inputLabel } from '@keelson/words/labels';
import type { BodySchema, FieldInfo } from '../fields.ts';
import { inputTime } from '../format.ts';
import { place } from '../shell/place.ts';
import { useSession } from '../shell/session.tsx';
import { t } from '../shell/words.ts';
import { choicesOf } from './choices-of.ts';
import { DropdownField } from './dropdown-field.tsx';
import { CheckField, SelectField, TextField } from './form.tsx';
import { pickerOf } from './picker-of.ts';
import { RecordField } from './record-field.tsx';
import { RowsField } from './rows-field.tsx';
import { ZoneField } from './zone-field.tsx';

interface SchemaFieldsProps {
  readonly schema: BodySchema;
  /** Fields in display order. */
  readonly names: readonly string[];
  readonly values?: Readonly<Record<string, unknown>>;
  /** Prefix of each input's name: `actions[0].input.`. */
  readonly at?: string;
  /** Focus the first field. Default: true. */
  readonly focus?: boolean;
}

export function SchemaFields({ schema, names, values = {}, at = '', focus = true }: SchemaFieldsProps) {
  return names.map((name, index) => {
    const field = schema.fields[name];
    return (
      field && (
        <SchemaField
          key={name}
          name={name}
          at={at}
          field={field}
          required={schema.required.includes(name)}
          value={values[name]}
          autoFocus={focus && index === 0}
        />
      )
    );
  });
}

interface SchemaFieldProps {
  readonly name: string;
  readonly at: string;
  readonly field: FieldInfo;
  readonly required: boolean;
  readonly value: unknown;
  readonly autoFocus: boolean;
}

function SchemaField({ name, at, field, required, value, autoFocus }: SchemaFieldProps) {
  const { records } = useSession();
  const label = t(field.title ?? inputLabel(name));
  const common = { name: at + name, label, required, ...(field.description && { hint: t(field.description) }) };
  const picker = pickerOf(records, name, field);
  if (picker) return <RecordField {...common} type={picker.type} value={value as number | undefined} />;
  if (field.fields) {
    const rows = (Array.isArray(value) ? value : []) as readonly Readonly<Record<string, unknown>>[];
    return <RowsField name={common.name} label={label} field={field} required={required} rows={rows} />;
  }
  if (field.dropdown !== undefined && place.id === 'console')
    return <DropdownField {...common} list={field.dropdown} several={field.type === 'array'} value={value} />;
  if (field.type === 'boolean') return <CheckField name={common.name} label={label} checked={value === true} />;
  const choices = choicesOf(field);
  if (choices) return <SelectField {...common} value={value as string | number} choices={choices} />;
  if (name === 'time_zone') return <ZoneField {...common} value={value as string | undefined} />;
  const text = Array.isArray(value) ? value.join(', ') : (value as string | undefined);
  if (field.type === 'integer' || field.type === 'number')
    return <TextField {...common} type="number" step={field.type === 'number' ? 'any' : '1'} value={text} />;
  if (field.format === 'date-time') return <TextField {...common} type="datetime-local" value={inputTime(text)} />;
  if (field.format === 'date') return <TextField {...common} type="date" value={text?.slice(0, 10)} />;
  const long = (field.maxLength ?? 0) > 500 || field.maxLength === undefined;
  const type = field.format === 'email' ? 'email' : field.format === 'uri' ? 'url' : 'text';
  return long && /note|descr|content|body|text|detail|comment|address|summary|message|scope|term|^items$/.test(name) ? (
    <TextField {...common} lines={4} value={text} max={field.maxLength} />
  ) : (
    <TextField {...common} type={type} value={text} max={field.maxLength} autoFocus={autoFocus} />
  );
}
