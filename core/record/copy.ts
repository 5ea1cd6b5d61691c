// Copies a view's members from a row.
import { writerOf } from '@keelson/kit/serialise.ts';
import type { Lookup, Members } from './member.ts';

/** Lookup results by id, one map per lookup member. */
export type LookupMaps = readonly { get(id: number): unknown }[];
export type Copy = (row: Readonly<Record<string, unknown>>, found: LookupMaps) => unknown;

/** A member resolved by lookup (such as a name), and the column that holds its id. */
export interface LookupMember {
  readonly key: string;
  readonly lookup: Lookup;
  readonly column: string;
  readonly statistic?: string | undefined;
  readonly pick?: ((found: any) => unknown) | undefined;
}

/** Returns the lookup members, in the order of the maps passed to a copy. */
export function lookupMembers(members: Members): readonly LookupMember[] {
  return Object.entries(members).flatMap(
    ([
      key,
      {
        lookup,
        statistic,
        pick,
        columns: [column = ''],
      },
    ]) => (lookup ? [{ key, lookup, statistic, pick, column }] : []),
  );
}

/** Returns the copying function. With `answers`, values are serialised. @throws Error for a shape no response can have */
export function copyOf(members: Members, { answers }: { answers: boolean }): Copy {
  let lookups = 0;
  const parts = Object.entries(members).map(([key, { columns, lookup, work, none, shape }]) => ({
    key,
    column: columns[0] ?? '',
    none,
    work,
    lookup: lookup ? lookups++ : undefined,
    write: answers ? writerOf(shape) : undefined,
  }));
  return (row, found) => {
    // Filled in a loop, because an array of entries takes three times as long, a twentieth of a list. The names are those
    // of a view's members.
    // oxlint-disable-next-line keelson/no-inherited-names
    const copy: Record<string, unknown> = {};
    for (const { key, column, none, work, lookup, write } of parts) {
      let value = work ? work(row) : row[column];
      if (lookup !== undefined) value = value === null ? none : (found[lookup]?.get(value as number) ?? none);
      copy[key] = write ? write(value) : value;
    }
    return copy;
  };
}
