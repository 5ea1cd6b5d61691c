// A field that is a list of rows, such as the lines of an invoice.
import { useRef, useState } from 'react';
import type { FieldInfo } from './fields.ts';
import { plainText, titleOf, words } from './format.ts';
import { SelectField, TextField } from './form.tsx';
import { Button, IconButton } from './parts.tsx';

type AnyRow = Readonly<Record<string, unknown>>;

interface RowsFieldProps {
  readonly name: string;
  readonly label: string;
  readonly field: FieldInfo;
  readonly required: boolean;
  readonly rows: readonly AnyRow[];
}

export function RowsField({ name, label, field, required, rows }: RowsFieldProps) {
  const [shown, setShown] = useState(() => (rows.length > 0 || !required ? [...rows.keys()] : [0]));
  const next = useRef(Math.max(shown.length, 1));
  const members = Object.entries(field.fields ?? {});
  return (
    <fieldset className="rows-field">
      <legend>{label}</legend>
      {shown.map((at, index) => (
        <div key={at} className="rows-field-row" role="group" aria-label={`${label}, ${index + 1}`}>
          {members.map(([member, each]) => (
            <Member
              key={member}
              name={`${name}.${at}.${member}`}
              member={member}
              field={each}
              required={field.required?.includes(member) ?? false}
              value={rows[at]?.[member]}
            />
          ))}
          <IconButton
            icon="trash"
            label={`Remove row ${index + 1}`}
            onClick={() => setShown(shown.filter((one) => one !== at))}
          />
        </div>
      ))}
      <Button size="small" icon="plus" onClick={() => setShown([...shown, next.current++])}>
        Add a row
      </Button>
    </fieldset>
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
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

function Member({ name, member, field, required, value }: MemberProps) {
  const common = { name, label: field.title ?? titleOf(member), required };
  const text = value === null || value === undefined ? undefined : plainText(value);
  // Which row it was; people have nothing to do with it.
  if (member.endsWith('_id')) return <input type="hidden" name={name} defaultValue={text} />;
  if (field.type === 'boolean') return <SelectField {...common} value={text} choices={yesOrNo} />;
  if (field.enum) {
    const choices = field.enum.map((each) => ({ value: each, label: words(String(each)) }));
    return <SelectField {...common} value={text} choices={choices} />;
  }
  const numeric = field.type === 'integer' || field.type === 'number';
  return <TextField {...common} type={numeric ? 'number' : 'text'} value={text} {...(numeric && { step: 'any' })} />;
}
