// Names of what other records refer to. The index has them apart from all other words of these tables, because a ticket is
// found by the name of its requester, and not by an e-mail address.
import type { App } from '../plugin/app.ts';
import { perApp } from '../plugin/per-app.ts';
import type { Table } from '../database/table.ts';
import { searchables } from './sources.ts';

/** What the index calls the names of a table's records. */
export function namesOf({ name }: Table): string {
  return `${name}/name`;
}

/** Whether records are found by the names of a table's. */
export function isReferred(app: App, table: Table): boolean {
  return referred(app).has(table.name);
}

const referred = perApp(
  (app): ReadonlySet<string> =>
    new Set(searchables(app).flatMap(({ through }) => through.map(([, table]) => table.name))),
);
