// List columns added by plugins. Values are fetched once per page of rows, never per row.
import { useQueries } from '@tanstack/react-query';
import { ask } from '../request/client.ts';
import { Piece } from '../shell/piece.tsx';
import { useSession, type ColumnEntry } from '../shell/session.tsx';
import { answered, type Rows } from './pages.ts';
import type { Column } from './table.tsx';

type Value = Readonly<Record<string, unknown>>;
const none: readonly never[] = [];

/** Returns the plugin columns of a list whose rows are keyed by `id`: `usePluginColumns(list, 'ticket_id')`. */
export function usePluginColumns<R extends object>(list: Rows<R>, id: keyof R & string): readonly Column<R>[] {
  const { columns } = useSession();
  const added = columns.filter((each) => each.list === list.operation);
  const pages = added.length === 0 ? none : list.pages.filter(({ length }) => length > 0);
  const asked = added.flatMap((column) => pages.map((rows) => ({ column, ids: rows.map((row) => row[id]).join() })));
  const results = useQueries({ queries: asked.map(({ column, ids }) => queryOf(column, ids)) });
  return added.flatMap((column) => {
    const rows = results.flatMap(({ data = none }, index) => (asked[index]?.column === column ? data : none));
    if (column.optional && rows.length === 0) return [];
    const values = new Map(rows.map((each) => [each[id], each]));
    return columnOf(column, (row) => values.get(row[id]));
  });
}

const queryOf = ({ values }: ColumnEntry, ids: string) => ({
  queryKey: [values, { ids }],
  queryFn: async ({ signal }: { signal: AbortSignal }) => answered<Value>(await ask(values, { ids }, signal)).rows,
});

/** Column whose cells are rendered by the plugin's module from the row and its fetched value. */
const columnOf = <R,>(entry: ColumnEntry, valueOf: (row: R) => Value | undefined): Column<R> => ({
  key: `${entry.plugin} ${entry.title}`,
  title: entry.title,
  width: '7.5rem',
  look: 'muted',
  yields: 'late',
  ...(entry.sort && { sort: entry.sort, ascending: true }),
  cell: (row) => <Piece of={entry} title={entry.title} given={{ row, value: valueOf(row) }} waiting={null} />,
});
