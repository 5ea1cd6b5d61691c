// Keys: `r`, `Mod+Enter`, `g t`. Single letters work outside of fields only, and can be switched off (WCAG 2.1.4).
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { preferences } from './preferences.ts';

export interface Key {
  /** `j`, `Shift+J`, `Mod+K`, or two after each other: `g t`. Several with `|`. */
  readonly keys: string;
  readonly title: string;
  readonly run: () => void;
  /** Also while a field has the focus; for keys with Mod. */
  readonly inFields?: boolean;
  /** Also while a dialog or a menu lies over the page. */
  readonly inDialogs?: boolean;
  /** Not shown among the keys. */
  readonly silent?: boolean;
}

type Layer = { readonly current: readonly Key[] };

let layers: readonly Layer[] = [];
let pending = '';
let pendingUntil = 0;
const listeners = new Set<() => void>();
const PAUSE_MS = 1200;

const set = (next: readonly Layer[]) => {
  layers = next;
  for (const each of listeners) each();
};

/** Keys that work while the component is shown. What is shown last comes first. */
export function useKeys(keys: readonly Key[]): void {
  const layer = useRef(keys);
  layer.current = keys;
  useEffect(() => {
    set([layer, ...layers]);
    return () => set(layers.filter((each) => each !== layer));
  }, []);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** A key as the person has it; `keys` is empty when it is switched off. */
export interface KnownKey extends Key {
  /** What it is for everybody else. */
  readonly usual: string;
}

/** Every key that works now, for the help. */
export function useKnownKeys(): readonly KnownKey[] {
  const all = useSyncExternalStore(subscribe, () => layers);
  const seen = new Set<string>();
  return all
    .flatMap((layer) => layer.current)
    .filter((each) => !each.silent && !seen.has(each.title) && seen.add(each.title))
    .map((each) => ({ ...each, keys: keysOf(each), usual: each.keys }));
}

/** The keys of an act, which the person may have changed. */
const keysOf = ({ title, keys }: Key): string => preferences().keys[title] ?? keys;

const mac = /Mac|iPhone|iPad/.test(navigator.platform);

/** A key as it stands on the keyboard: `⌘K` or `Ctrl K`. */
export function keyName(keys: string): string {
  return (keys.split('|')[0] ?? '')
    .replace('Mod+', mac ? '⌘' : 'Ctrl ')
    .replace('Shift+', mac ? '⇧' : 'Shift ')
    .replace('Enter', '↵');
}

/** `Shift+J`, `Mod+K`, `r`; empty for what no key of ours can be. */
export function nameOf(event: KeyboardEvent): string {
  const mod = (mac ? event.metaKey : event.ctrlKey) ? 'Mod+' : '';
  if (event.altKey || (mac ? event.ctrlKey : event.metaKey)) return '';
  const { key } = event;
  if (key.length > 1) return mod + (event.shiftKey && key !== 'Enter' ? 'Shift+' : '') + key;
  return mod + (mod ? key.toUpperCase() : key);
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button', 'submit', 'range'].includes(target.type);
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const name = nameOf(event);
  if (name === '' || name === 'Shift+Shift') return;
  const field = isField(event.target);
  const single = name.length === 1;
  if (single && (field || !preferences().single_keys)) return;
  // A dialog keeps the keys of what lies below it to itself.
  const dialog = document.querySelector('dialog:modal, [popover]:popover-open');
  const twoKeys = Date.now() < pendingUntil ? `${pending} ${name}` : '';
  const all = layers.flatMap((layer) => layer.current);
  const found = twoKeys ? match(all, twoKeys) : undefined;
  const key = found ?? match(all, name);
  if (key && (!field || key.inFields || name === 'Escape') && (!dialog || key.inDialogs)) {
    event.preventDefault();
    pendingUntil = 0;
    key.run();
  } else if (
    single &&
    !dialog &&
    all.some((each) =>
      keysOf(each)
        .split('|')
        .some((one) => one.startsWith(`${name} `)),
    )
  ) {
    pending = name;
    pendingUntil = Date.now() + PAUSE_MS;
  }
}

const match = (all: readonly Key[], name: string): Key | undefined =>
  all.find((each) => keysOf(each).split('|').includes(name));

/** The one listener; the shell starts it. */
export function listenToKeys(): () => void {
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}
