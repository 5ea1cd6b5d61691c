// Record picker with search by name.
import { useState } from 'react';
import { Link } from 'wouter';
import { containsWords, plainText } from '../format.ts';
import { useFound } from '../list/pages.ts';
import { useAnswer } from '../request/client.ts';
import { useRecordLink, useSession, type RecordEntry } from '../shell/session.tsx';
import { t, withinSentence } from '../shell/words.ts';
import { Combo } from './combo.tsx';

export interface Picked {
  readonly id: string | number;
  readonly name: string;
  /** Company shown with a hit when results span several companies. */
  readonly of?: string;
  /** The record's company, if it has one. */
  readonly company_number?: number;
}

interface RecordFieldProps {
  /** Record type as declared: `company`. */
  readonly type: string;
  readonly name: string;
  readonly label: string;
  readonly required?: boolean;
  readonly hint?: string;
  readonly value?: string | number | null | undefined;
  /** Display name of `value`. */
  readonly shown?: string | undefined;
  /** Extra search filters, such as a company's sites only. */
  readonly where?: Readonly<Record<string, unknown>>;
  /** The id of a record that cannot be picked, such as the one being edited. */
  readonly except?: number;
  readonly onPick?: (picked: Picked | undefined) => void;
}

/** Returns the name of a hit from the fields declared for its record. */
export const nameOf = (entry: RecordEntry, row: Readonly<Record<string, unknown>>): string =>
  entry.name
    .split(' ')
    .map((each) => plainText(row[each]))
    .filter(Boolean)
    .join(' ');

/** Name of a record, linked to its page. Shows the id until loaded or if the record is missing. */
export function RecordName({ type, id }: { type: string; id: string | number }) {
  const entry = useSession().records.find((each) => each.type === type);
  return entry ? <Named entry={entry} id={id} /> : `${id}`;
}

function Named({ entry, id }: { entry: RecordEntry; id: string | number }) {
  const name = useName(entry, id) || `${id}`;
  const to = useRecordLink()(entry.type, id);
  return to ? <Link href={to}>{name}</Link> : name;
}

function useName(entry: RecordEntry, id: string | number | null | undefined, wanted = true): string | undefined {
  const key = /\{(\w+)\}/.exec(entry.read)?.[1] ?? 'id';
  const { data } = useAnswer(entry.read, { [key]: id }, { enabled: wanted && Boolean(id) });
  return data ? nameOf(entry, data as Record<string, unknown>) : undefined;
}

export function RecordField(props: RecordFieldProps) {
  const { records } = useSession();
  const entry = records.find((each) => each.type === props.type);
  // A form keeps the record for those who may not look for others.
  if (!entry?.find) return <input type="hidden" name={props.name} defaultValue={props.value ?? ''} />;
  return <Picker {...props} entry={entry} find={entry.find} />;
}

function Picker({
  entry,
  find,
  name,
  label,
  required,
  hint,
  value,
  shown = '',
  where = {},
  except,
  onPick,
}: RecordFieldProps & { entry: RecordEntry; find: string }) {
  const [text, setText] = useState(shown);
  const [picked, setPicked] = useState<Picked | undefined>(value ? { id: value, name: shown } : undefined);
  const named = useName(entry, value, !shown);
  if (picked && !picked.name && named) {
    setPicked({ ...picked, name: named });
    setText(named);
  }
  const typed = text === picked?.name ? '' : text.trim();
  const open = { ...where, per_page: 8 };
  const found = useFound(find, { ...open, search: typed }, typed !== '');
  const first = useFound(find, open);
  const { rows = [], whole } = (typed === '' ? first : found) ?? {};
  const everywhere = !('company_number' in where) && entry.type !== 'company';
  const wanted = whole ? rows.filter((row) => containsWords(nameOf(entry, row), typed)) : rows;
  const allowed = wanted.filter((row) => row[entry.id] !== except);
  const hits = allowed.map((row): Picked => ({
    id: row[entry.id] as number,
    name: nameOf(entry, row),
    ...(everywhere && row.company_name !== undefined && { of: plainText(row.company_name) }),
    ...(row.company_number !== undefined && { company_number: Number(row.company_number) }),
  }));
  const choose = (next: Picked | undefined) => {
    setPicked(next);
    onPick?.(next);
  };
  return (
    <Combo
      {...{ name, label, hint, required, text, picked, hits }}
      keyOf={(each) => each.id}
      textOf={(each) => each.name}
      show={(each) => (
        <>
          {each.name}
          {each.of && <small> {each.of}</small>}
        </>
      )}
      astray={required ? t('Choose from the list') : t('Choose from the list, or leave blank')}
      textRequired={required && !picked}
      placeholder={t('Find {label}', { label: withinSentence(label) })}
      onText={setText}
      onPick={choose}
      onBlur={() => picked && setText(picked.name)}
    />
  );
}
