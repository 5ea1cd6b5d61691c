// Paginated lists of any length: only the pages in view are fetched, once scrolling stops.
import { useQueries, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ask, type Args, type Operation, type Row } from '../request/client.ts';

const SIZE = 100;
/** Debounce, so that a fast scroll does not fetch every page it passes. */
const REST_MS = 50;

/** Loaded rows of a list. */
export interface Rows<R> {
  readonly total: number;
  /** The server stopped counting at its limit, so the total is a lower bound. */
  readonly capped: boolean;
  readonly at: (index: number) => R | undefined;
  /** Fetches rows `first` to `last`. */
  readonly need: (first: number, last: number) => void;
  readonly loading: boolean;
  readonly fetching: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
  readonly operation: string;
  /** Loaded pages among those requested. */
  readonly pages: readonly (readonly R[])[];
}

export interface Pages<R> extends Rows<R> {
  /** Why a page could not be loaded, even if others are. */
  readonly missing: Error | null;
}

interface Answered<R> {
  readonly rows: readonly R[];
  readonly total: number;
  readonly capped: boolean;
  /** The answer has no pages: these are all rows, and the server does not search them. */
  readonly whole: boolean;
}

interface PagesOptions {
  /** Polls (ms) where no change events may arrive. */
  readonly every?: number;
  /** False while the list is not needed, or may not be read. */
  readonly enabled?: boolean;
}

/** Paginated list with filters. Keep its arguments in the page URL. */
export function usePages<O extends Operation>(
  operation: O,
  args?: Omit<Args<O>, 'page'>,
  options: PagesOptions = {},
): Pages<Row<O>> {
  return useRows<Row<O>>(operation, (args ?? {}) as Record<string, unknown>, options);
}

/** `usePages` for operations known only at run time. */
export function useRows<R>(
  operation: string,
  args: Readonly<Record<string, unknown>>,
  { every = 0, enabled = true }: PagesOptions = {},
): Pages<R> {
  const client = useQueryClient();
  const asked = JSON.stringify([operation, args]);
  const [wanted, setWanted] = useState({ asked, pages: [1] as readonly number[] });
  const pages = wanted.asked === asked ? wanted.pages : [1];
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refetchInterval = every || (false as const);
  const queries = pages.map((page) => ({ ...queryOf<R>(operation, args, page), refetchInterval, enabled }));
  const results = useQueries({ queries });

  const need = useCallback(
    (first: number, last: number) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        const next = range(Math.floor(first / SIZE) + 1, Math.floor(Math.max(first, last) / SIZE) + 1);
        setWanted((now) => (now.asked === asked && same(now.pages, next) ? now : { asked, pages: next }));
      }, REST_MS);
    },
    [asked],
  );
  useEffect(() => () => clearTimeout(timer.current), []);

  const known = results.find((each) => each.data)?.data ?? anyOf<R>(client, operation, args);
  const at = useCallback(
    (index: number) => {
      const { queryKey } = keyOf(operation, args, Math.floor(index / SIZE) + 1);
      return client.getQueryData<Answered<R>>(queryKey)?.rows[index % SIZE];
    },
    // Rows are read from the cache; new data must yield a new function so that rows re-render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [client, asked, ...[results.map((each) => each.dataUpdatedAt).join()]],
  );
  const error = results.find((each) => each.error)?.error ?? null;
  return useMemo(
    () => ({
      total: known?.total ?? 0,
      capped: known?.capped ?? false,
      at,
      need,
      loading: !known && !error,
      fetching: results.some((each) => each.isFetching),
      error: known ? null : error,
      missing: results.find((each) => !each.data)?.error ?? null,
      retry: () => results.forEach((each) => void each.refetch()),
      operation,
      pages: results.flatMap((each) => (each.data ? [each.data.rows] : [])),
    }),
    [known, at, need, error, results, operation],
  );
}

/** First rows of a list for one set of filters. */
export interface FirstRows<R> {
  readonly rows: readonly R[];
  readonly total: number;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Returns the first rows of a list for several sets of filters, such as the columns of a board. */
export function useFirstRows<O extends Operation>(
  operation: O,
  many: readonly Omit<Args<O>, 'page'>[],
): readonly FirstRows<Row<O>>[] {
  const results = useQueries({ queries: many.map((args) => queryOf<Row<O>>(operation, args, 1)) });
  return results.map(({ data, error, refetch }) => ({
    rows: data?.rows ?? [],
    total: data?.total ?? 0,
    error: data ? null : error,
    retry: () => void refetch(),
  }));
}

const keyOf = (operation: string, args: object, page: number) =>
  ({ queryKey: [operation, { ...args, page, per_page: SIZE }] }) as const;

function queryOf<R>(operation: string, args: object, page: number) {
  const { queryKey } = keyOf(operation, args, page);
  const queryFn = async ({ signal }: { signal: AbortSignal }): Promise<Answered<R>> =>
    answered<R>(await ask(operation, queryKey[1] as Record<string, unknown>, signal));
  return { queryKey, queryFn };
}

/** Returns what a list finds; undefined until loaded. */
export function useFound(
  operation: string,
  args: Readonly<Record<string, unknown>>,
  enabled = true,
): Answered<Record<string, unknown>> | undefined {
  const queryFn = async ({ signal }: { signal: AbortSignal }) =>
    answered<Record<string, unknown>>(await ask(operation, args, signal));
  return useQuery({ queryKey: [operation, args, 'found'], queryFn, enabled }).data;
}

/** Returns the number of rows in a list; undefined until loaded. */
export function useTotal(operation: string, args: Readonly<Record<string, unknown>>): number | undefined {
  const asked = { ...args, per_page: 1 };
  const { data } = useQuery({
    queryKey: [operation, asked, 'total'],
    queryFn: async ({ signal }) => answered(await ask(operation, asked, signal)).total,
  });
  return data;
}

/** Returns the first loaded rows of a list, for short lists within another page. */
export function firstRows<R>(list: Rows<R>, most: number): readonly R[] {
  return Array.from({ length: Math.min(most, list.total) }, (_, index) => list.at(index)).filter(
    (each) => each !== undefined,
  );
}

/** Returns all rows of a list that is short enough to be shown at once. It is loading until each page is loaded. */
export function useAllRows<O extends Operation>(
  operation: O,
  args?: Omit<Args<O>, 'page'>,
  options: PagesOptions = {},
): Rows<Row<O>> & { readonly rows: readonly Row<O>[] } {
  const list = usePages(operation, args, options);
  const { total, need, pages, loading, missing: error } = list;
  useEffect(() => need(0, total - 1), [need, total]);
  const partial = loading || pages.length * SIZE < total;
  return { ...list, rows: firstRows(list, total), loading: partial && !error, error };
}

/** Returns the cached first page, if any. */
const anyOf = <R>(client: QueryClient, operation: string, args: object): Answered<R> | undefined =>
  client.getQueryData<Answered<R>>(keyOf(operation, args, 1).queryKey);

/** Returns the rows of a list response: `data` on the staff surface, a named array on the customer surface. */
export function answered<R>(answer: unknown): Answered<R> {
  const given = (answer ?? {}) as Record<string, unknown>;
  const rows = rowsOf(given) as readonly R[];
  const paging = (given.pagination ?? {}) as { total?: number; total_capped?: boolean };
  return {
    rows,
    total: paging.total ?? rows.length,
    capped: paging.total_capped ?? false,
    whole: given.pagination === undefined,
  };
}

function rowsOf(given: Record<string, unknown>): readonly unknown[] {
  if (Array.isArray(given)) return given;
  const inner = given.data;
  if (Array.isArray(inner)) return inner;
  const found = Object.values((inner as Record<string, unknown>) ?? given).find(Array.isArray);
  return found ?? [];
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
const same = (a: readonly number[], b: readonly number[]) => a.length === b.length && a.every((n, i) => n === b[i]);
