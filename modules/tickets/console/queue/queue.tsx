// The list that tickets are opened from, used to move to the next or previous ticket.
import { useGo, usePages, type Args, type Row } from '@keelson/web';
import { useEffect, useRef } from 'react';
import { LIST } from '../ticket/change.tsx';

const KEPT = 'keelson.queue';
/** Maximum number of rows searched for the current ticket. */
const MOST = 2000;

/** Builds the list query from the page's URL parameters. */
export function askedOf(params: URLSearchParams): Args<typeof LIST> {
  const { split: _split, at: _at, view: _view, ...asked } = Object.fromEntries(params);
  return { sort: 'updated_at', order: 'desc', brief: true, status: 'unresolved', ...asked } as Args<typeof LIST>;
}

/** Remembers per window which list tickets are opened from. */
export const keepQueue = (search: string): void => sessionStorage.setItem(KEPT, search);

/** Returns the URL of the last open list. */
export const addressOfQueue = (): string => `/tickets${sessionStorage.getItem(KEPT) ?? ''}`;

export interface Neighbours {
  readonly next: () => void;
  readonly previous: () => void;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

/** Moves to the next or previous ticket of the list. If the current ticket has left the list, its position is kept. */
export function useNeighbours(id: number): Neighbours {
  const go = useGo();
  const list = usePages(LIST, askedOf(new URLSearchParams(sessionStorage.getItem(KEPT) ?? '')));
  const { total, at, need } = list;
  const found = indexOf(id, Math.min(total, MOST), at);
  const last = useRef({ id, index: -1 });
  if (found >= 0 || last.current.id !== id) last.current = { id, index: found };
  const { index } = last.current;
  useEffect(() => {
    if (index >= 0) need(Math.max(0, index - 1), index + 1);
  }, [index, need]);
  const open = (row: Row<typeof LIST> | undefined) => row && go(`/tickets/${row.ticket_number}`);
  return {
    next: () => open(at(found >= 0 || index < 0 ? index + 1 : index)),
    previous: () => open(index > 0 ? at(index - 1) : undefined),
    hasNext: (found >= 0 || index < 0 ? index + 1 : index) < total,
    hasPrevious: index > 0,
  };
}

function indexOf(id: number, most: number, at: (index: number) => { readonly ticket_id: number } | undefined): number {
  for (let index = 0; index < most; index++) if (at(index)?.ticket_id === id) return index;
  return -1;
}
