// Names of records that others refer to. The index stores them apart from the other words of their tables, because a
// ticket is found by its requester's name but not by their email address.
import type { Table } from '@keelson/database/schema/table.ts';
import type { App } from '../plugin/app.ts';
import { perApp } from '../plugin/per-app.ts';
import { searchables } from './search-sources.ts';

/** Returns the index type for the names of a table's records. */
export function namesOf({ name }: Table): string {
  return `${name}/name`;
}

/** Whether other records are found by the names of this table's records. */
export function isReferred(app: App, table: Table): boolean {
  return referred(app).has(table.name);
}

const referred = perApp(
  (app): ReadonlySet<string> =>
    new Set(searchables(app).flatMap(({ through }) => through.map(([, table]) => table.name))),
);
