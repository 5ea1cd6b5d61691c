// A field whose values are a list that administrators keep, such as the types of assets.
import { useItem } from '../request/client.ts';
import { useMay } from '../shell/session.tsx';
import { t } from '../shell/words.ts';
import { SelectField, SelectSeveralField, TextField } from './form.tsx';

interface DropdownFieldProps {
  readonly name: string;
  readonly label: string;
  readonly required: boolean;
  readonly hint?: string;
  /** Name of the list: `asset_types`. */
  readonly list: string;
  /** Whether several may be chosen. */
  readonly several: boolean;
  readonly value: unknown;
}

/** Selects from a dropdown list; a text field for those who may not read the lists. */
export function DropdownField({ list, several, value, ...field }: DropdownFieldProps) {
  const mayRead = useMay()('settings:read');
  const { data, error } = useItem('GET /settings/dropdowns.php', {}, { enabled: mayRead });
  const current = (Array.isArray(value) ? value : [value]).filter(Boolean).map(String);
  // One per line, because a value may contain a comma.
  if (!mayRead || error) return <TextField {...field} {...(several && { lines: 4 })} value={current.join('\n')} />;
  // Codes have labels of the product; a list's own values, such as `Hardware`, are their own labels.
  const choices =
    data &&
    (data[list] ?? [])
      .filter((each) => each.active)
      .map(({ value: each, label }) => ({
        value: each,
        label: each === label ? label : t(label, undefined, field.name),
      }));
  return several ? (
    <SelectSeveralField {...field} values={current} choices={choices} />
  ) : (
    <SelectField {...field} value={current[0] ?? null} choices={choices} />
  );
}
