// Form field for a list of rows, such as invoice lines.
import type { FieldInfo } from '../fields.ts';
import { plainText, titleOf } from '../format.ts';
import { t } from '../shell/words.ts';
import { choicesOf } from './choices-of.ts';
import { FormRows } from './form-rows.tsx';
import { SelectField, TextField } from './form.tsx';

type AnyRow = Readonly<Record<string, unknown>>;

interface RowsFieldProps {
  readonly name: string;
  readonly label: string;
  readonly field: FieldInfo;
  readonly required: boolean;
  readonly rows: readonly AnyRow[];
}

export function RowsField({ name, label, field, required, rows }: RowsFieldProps) {
  const members = Object.entries(field.fields ?? {});
  return (
    <FormRows
      label={label}
      rows={rows}
      least={required ? 1 : 0}
      one="row"
      add={t('Add row')}
      className="rows-field-row"
    >
      {(row, { key }) =>
        members.map(([member, each]) => (
          <Member
            key={member}
            name={`${name}.${key}.${member}`}
            member={member}
            field={each}
            required={field.required?.includes(member) ?? false}
            value={row?.[member]}
          />
        ))
      }
    </FormRows>
  );
}

interface MemberProps {
  readonly name: string;
  readonly member: string;
  readonly field: FieldInfo;
  readonly required: boolean;
  readonly value: unknown;
}

const yesOrNo = [
  { value: 'true', label: t('Yes') },
  { value: 'false', label: t('No') },
];

function Member({ name, member, field, required, value }: MemberProps) {
  const common = { name, label: field.title ?? titleOf(member), required };
  const text = value === null || value === undefined ? undefined : plainText(value);
  // The row's id; hidden from people.
  if (member.endsWith('_id')) return <input type="hidden" name={name} defaultValue={text} />;
  if (field.type === 'boolean') return <SelectField {...common} value={text} choices={yesOrNo} />;
  const choices = choicesOf(field);
  if (choices) return <SelectField {...common} value={text} choices={choices} />;
  const numeric = field.type === 'integer' || field.type === 'number';
  return <TextField {...common} type={numeric ? 'number' : 'text'} value={text} {...(numeric && { step: 'any' })} />;
}
