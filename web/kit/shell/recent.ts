// Records opened in this browser, most recent first.
import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';

export interface Visited {
  readonly path: string;
  readonly title: string;
}

const NAME = 'keelson.recent';
const MOST = 8;

let kept = JSON.parse(localStorage.getItem(NAME) ?? '[]') as readonly Visited[];
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useRecent = (): readonly Visited[] => useSyncExternalStore(subscribe, () => kept);

/** Stores the open record under its title; `undefined` while its page is not a record's, is loading or has failed. */
export function useVisited(title: string | undefined): void {
  const [path] = useLocation();
  useEffect(() => {
    // The path of a record ends with its number: `/tickets/1001`, `/invoices/INV-000001`.
    if (!title || !/\d$/.test(path)) return;
    kept = [{ path, title }, ...kept.filter((each) => each.path !== path)].slice(0, MOST);
    localStorage.setItem(NAME, JSON.stringify(kept));
    for (const each of listeners) each();
  }, [path, title]);
}

/** Clears all entries when a person signs out. */
export function forgetRecent(): void {
  localStorage.removeItem(NAME);
}
