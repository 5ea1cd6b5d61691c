// How the person likes these pages. The browser keeps it, so that it is known at once; the console keeps it with the server
// too, and it is the same on every device.
import { useSyncExternalStore } from 'react';

export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  /** Single letters as keys; those who speak to their computer switch them off. */
  readonly single_keys: boolean;
  /** Keys that are not the usual ones, by what they do; an empty one switches the key off. */
  readonly keys: Readonly<Record<string, string>>;
}

const NAME = 'keelson.preferences';
const usual: Preferences = { theme: 'system', single_keys: true, keys: {} };

let kept: Preferences = { ...usual, ...(JSON.parse(localStorage.getItem(NAME) ?? '{}') as Partial<Preferences>) };
let send: ((changed: Partial<Preferences>) => void) | undefined;
const listeners = new Set<() => void>();

export const preferences = (): Preferences => kept;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, preferences);

/** Takes over what is known elsewhere, such as by the server. */
export function takePreferences({ theme, single_keys, keys }: Preferences): void {
  kept = { theme, single_keys, keys };
  localStorage.setItem(NAME, JSON.stringify(kept));
  signalTheme();
  for (const each of listeners) each();
}

/** Changes some, here and wherever they are kept. */
export function changePreferences(changed: Partial<Preferences>): void {
  takePreferences({ ...kept, ...changed });
  send?.(changed);
}

/** Where changes are sent from now on. */
export function sendPreferences(to: typeof send): void {
  send = to;
}

/** Says the theme to the style sheets. */
export function signalTheme(): void {
  if (kept.theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = kept.theme;
}
