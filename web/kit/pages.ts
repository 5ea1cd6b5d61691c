// Lists of any length: rows are asked for by the page, and only those that are in sight when scrolling rests.
import { useQueries, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ask, type Args, type Operation, type Row } from './client.ts';

const SIZE = 100;
/** Without a pause a fast scroll asks for every page it passes. */
const REST_MS = 50;

/** The rows of a list, as far as they are known. */
export interface Rows<R> {
  readonly total: number;
  /** The total goes beyond what the server counts. */
  readonly capped: boolean;
  readonly at: (index: number) => R | undefined;
  /** Asks for the rows from `first` up to `last`. */
  readonly need: (first: number, last: number) => void;
  readonly loading: boolean;
  readonly fetching: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
  readonly operation: string;
  /** The pages that are asked for, as far as they are known. */
  readonly pages: readonly (readonly R[])[];
}

interface Answered<R> {
  readonly rows: readonly R[];
  readonly total: number;
  readonly capped: boolean;
}

/** A list of the interface, with its filters. What it is asked belongs into the address of the page. */
export function usePages<O extends Operation>(operation: O, args?: Omit<Args<O>, 'page'>): Rows<Row<O>> {
  return useRows<Row<O>>(operation, (args ?? {}) as Record<string, unknown>);
}

/** `usePages` for operations that are known only at run time. */
export function useRows<R>(operation: string, args: Readonly<Record<string, unknown>>): Rows<R> {
  const client = useQueryClient();
  const asked = JSON.stringify([operation, args]);
  const [wanted, setWanted] = useState({ asked, pages: [1] as readonly number[] });
  const pages = wanted.asked === asked ? wanted.pages : [1];
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const results = useQueries({ queries: pages.map((page) => queryOf<R>(operation, args, page)) });

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
    // The answers are in the cache; a new one must give a new function, so that rows are drawn again.
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
      retry: () => results.forEach((each) => void each.refetch()),
      operation,
      pages: results.flatMap((each) => (each.data ? [each.data.rows] : [])),
    }),
    [known, at, need, error, results, operation],
  );
}

const keyOf = (operation: string, args: object, page: number) =>
  ({ queryKey: [operation, { ...args, page, per_page: SIZE }] }) as const;

function queryOf<R>(operation: string, args: object, page: number) {
  const { queryKey } = keyOf(operation, args, page);
  const queryFn = async ({ signal }: { signal: AbortSignal }): Promise<Answered<R>> =>
    answered<R>(await ask(operation, queryKey[1] as Record<string, unknown>, signal));
  return { queryKey, queryFn };
}

/** How many rows a list has; undefined until it is known. */
export function useTotal(operation: string, args: Readonly<Record<string, unknown>>): number | undefined {
  const asked = { ...args, per_page: 1 };
  const { data } = useQuery({
    queryKey: [operation, asked, 'total'],
    queryFn: async ({ signal }) => answered(await ask(operation, asked, signal)).total,
  });
  return data;
}

/** The first rows of a list, as far as they are known: for short lists within another page. */
export function firstRows<R>(list: Rows<R>, most: number): readonly R[] {
  return Array.from({ length: Math.min(most, list.total) }, (_, index) => list.at(index)).filter(
    (each) => each !== undefined,
  );
}

/** The first page, when it is kept from before. */
const anyOf = <R>(client: QueryClient, operation: string, args: object): Answered<R> | undefined =>
  client.getQueryData<Answered<R>>(keyOf(operation, args, 1).queryKey);

/** The rows of a list's answer: `data` on the staff's surface, a named array on the customers'. */
export function answered<R>(answer: unknown): Answered<R> {
  const given = (answer ?? {}) as Record<string, unknown>;
  const rows = rowsOf(given) as readonly R[];
  const paging = (given.pagination ?? {}) as { total?: number; total_capped?: boolean };
  return { rows, total: paging.total ?? rows.length, capped: paging.total_capped ?? false };
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
