// UI preferences. Stored in the browser for instant use; the console also syncs them to the server for all devices.
import { useSyncExternalStore } from 'react';

export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  /** Enables single-letter shortcuts; speech-input users disable them. */
  readonly single_keys: boolean;
  /** Customised shortcuts by action; an empty value disables the shortcut. */
  readonly keys: Readonly<Record<string, string>>;
  /** Chosen columns in order, by list or view: `tickets`, `tickets/mine`. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** Pinned pages, records and views. */
  readonly pins: readonly { readonly path: string; readonly title: string }[];
}

const NAME = 'keelson.preferences';
const usual: Preferences = { theme: 'system', single_keys: true, keys: {}, columns: {}, pins: [] };

let kept: Preferences = { ...usual, ...(JSON.parse(localStorage.getItem(NAME) ?? '{}') as Partial<Preferences>) };
let send: ((changed: Partial<Preferences>) => void) | undefined;
const listeners = new Set<() => void>();

export const preferences = (): Preferences => kept;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, preferences);

/** Applies preferences from elsewhere, such as the server. */
export function takePreferences({ theme, single_keys, keys, columns, pins }: Preferences): void {
  kept = { theme, single_keys, keys, columns, pins };
  localStorage.setItem(NAME, JSON.stringify(kept));
  signalTheme();
  for (const each of listeners) each();
}

/** Changes preferences locally and on the server. */
export function changePreferences(changed: Partial<Preferences>): void {
  takePreferences({ ...kept, ...changed });
  send?.(changed);
}

/** Sets the function that syncs changes. */
export function sendPreferences(to: typeof send): void {
  send = to;
}

/** Applies the theme to the document. */
export function signalTheme(): void {
  if (kept.theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = kept.theme;
}
