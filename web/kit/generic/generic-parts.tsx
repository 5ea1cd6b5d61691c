// Shared parts of declared lists, as pages and within other pages.
import { lookOf, Value, widthOf } from '../components/value.tsx';
import type { FieldInfo, Fields } from '../fields.ts';
import { titleOf, words } from '../format.ts';
import { Filter } from '../list/list-page.tsx';
import type { Column } from '../list/table.tsx';
import { t } from '../shell/words.ts';

export type AnyRow = Readonly<Record<string, unknown>>;

/** Builds table columns from field names. */
export function columnsOf(
  names: readonly string[],
  fields: Fields,
  sorts: readonly string[] = [],
): readonly Column<AnyRow>[] {
  return names.map((name, index): Column<AnyRow> => ({
    key: name,
    title: fields[name]?.title ?? titleOf(name),
    width: widthOf(name, fields[name], index === 0),
    look: index === 0 ? 'strong' : lookOf(name, fields[name]),
    yields: index === 0 ? undefined : 'late',
    ...(sorts.includes(name) && { sort: name }),
    cell: (row) => <Value name={name} value={row[name]} field={fields[name]} row={row} />,
  }));
}

/** Filter for an enum field; other fields have none. */
export function FieldFilter({
  name,
  field,
  value,
  onChoose,
}: {
  name: string;
  field: FieldInfo | undefined;
  value: string;
  onChoose: (value: string) => void;
}) {
  if (!field) return null;
  const choices =
    field.type === 'boolean'
      ? { true: t('Yes'), false: t('No') }
      : Object.fromEntries((field.enum ?? []).map((each) => [String(each), words(String(each), name)]));
  if (Object.keys(choices).length === 0) return null;
  return (
    <Filter
      label={field.title ?? words(name)}
      value={value}
      choices={choices}
      named={field.type === 'boolean'}
      onChoose={onChoose}
    />
  );
}
