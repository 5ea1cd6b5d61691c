// What a body changes of a record.
import { changesBetween } from '@keelson/core';

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that were given at all. */
export function defined<T extends object>(given: T): Defined<T> {
  const kept: Defined<T> = { ...given };
  for (const field in kept) if (kept[field] === undefined) delete kept[field];
  return kept;
}

/** The fields of `wanted` that differ from the record's: what has to be stored; none for a change of nothing (V-16). */
export function differing<T extends object>(before: object, wanted: T): Partial<T> {
  const changed = changesBetween({ ...before }, Object.fromEntries(Object.entries(wanted)));
  const kept: Partial<T> = { ...wanted };
  for (const field in kept) if (!Object.hasOwn(changed, field)) delete kept[field];
  return kept;
}
