// Records a person opened in this browser, most recent first.
import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { place } from './place.ts';
import { useSession } from './session.tsx';

export interface Visited {
  readonly path: string;
  readonly title: string;
}

const MOST = 8;

/** Another person may sign in to the same browser, even while other tabs are still open. */
let known: { readonly name: string; readonly all: readonly Visited[] } | undefined;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

function recent(name: string): readonly Visited[] {
  if (known?.name !== name) known = { name, all: JSON.parse(localStorage.getItem(name) ?? '[]') as Visited[] };
  return known.all;
}

const nameOf = (person_id: number): string => `keelson.recent.${place.id}.${person_id}`;
const useName = (): string => nameOf(useSession().person.id);

export function useRecent(): readonly Visited[] {
  const name = useName();
  return useSyncExternalStore(subscribe, () => recent(name));
}

/** Stores the open record under its title; `undefined` while its page is not a record's, is loading or has failed. */
export function useVisited(title: string | undefined): void {
  const [path] = useLocation();
  const name = useName();
  useEffect(() => {
    // The path of a record ends with its number: `/tickets/1001`, `/invoices/INV-000001`.
    if (!title || !/\d$/.test(path)) return;
    const all = [{ path, title }, ...recent(name).filter((each) => each.path !== path)].slice(0, MOST);
    known = { name, all };
    localStorage.setItem(name, JSON.stringify(all));
    for (const each of listeners) each();
  }, [path, title, name]);
}

/** Clears all entries when a person signs out. */
export function forgetRecent(person_id: number): void {
  localStorage.removeItem(nameOf(person_id));
}
