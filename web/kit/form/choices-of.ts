import type { FieldInfo } from '../fields.ts';
import { words } from '../format.ts';
import { t } from '../shell/words.ts';

/** Returns the choices of a field: the words it may have, or what its numbers mean. Undefined for other fields. */
export function choicesOf(field: FieldInfo): { readonly value: string | number; readonly label: string }[] | undefined {
  if (field.labels)
    return Object.entries(field.labels).map(([value, label]) => ({ value: Number(value), label: t(label) }));
  return field.enum?.map((each) => ({ value: each, label: words(String(each)) }));
}
