// Keyboard shortcuts: `r`, `Mod+Enter`, `g t`. Single letters work only outside fields and can be disabled (WCAG
// 2.1.4). In a field, Escape leaves it.
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { preferences } from './preferences.ts';
import { t } from './words.ts';

export interface Key {
  /** `j`, `Shift+J`, `Mod+K`, or a sequence: `g t`. Separate alternatives with `|`. Empty for the palette alone. */
  readonly keys: string;
  readonly title: string;
  readonly run: () => void;
  /** Also active while a field has focus; for keys with Mod. */
  readonly inFields?: boolean;
  /** Also active while a dialog or menu is open. */
  readonly inDialogs?: boolean;
  /** Hidden from the shortcut help. */
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

/** Registers shortcuts while the component is mounted. The last mounted component takes precedence. */
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

/** Shortcut with the person's settings; `keys` is empty when disabled. */
export interface KnownKey extends Key {
  /** Default keys. */
  readonly usual: string;
}

/** Returns every active shortcut, for the help. */
export function useKnownKeys(): readonly KnownKey[] {
  const all = useSyncExternalStore(subscribe, () => layers);
  const seen = new Set<string>();
  return all
    .flatMap((layer) => layer.current)
    .filter((each) => !each.silent && !seen.has(each.title) && seen.add(each.title))
    .map((each) => ({ ...each, keys: keysOf(each), usual: each.keys }));
}

/** Returns the keys of an action, including the person's changes. */
const keysOf = ({ title, keys }: Key): string => preferences().keys[title] ?? keys;

const mac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Formats keys as printed on the keyboard: `⌘K` or `Ctrl K`. */
export function keyName(keys: string): string {
  return (keys.split('|')[0] ?? '')
    .replace('Mod+', mac ? '⌘' : `${t('Ctrl')} `)
    .replace('Shift+', mac ? '⇧' : `${t('Shift')} `)
    .replace('Enter', '↵');
}

/** Returns the key name: `Shift+J`, `Mod+K`, `r`. Empty for combinations that cannot be shortcuts. */
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
  // An open dialog disables the shortcuts of the page below.
  const dialog = document.querySelector('dialog:modal, [popover]:popover-open');
  const twoKeys = Date.now() < pendingUntil ? `${pending} ${name}` : '';
  const all = layers.flatMap((layer) => layer.current);
  const found = twoKeys ? match(all, twoKeys) : undefined;
  const key = found ?? match(all, name);
  if (field && name === 'Escape' && !dialog) {
    (event.target as HTMLElement).blur();
  } else if (key && (!field || key.inFields) && (!dialog || key.inDialogs)) {
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

/** Installs the single key listener; called by the shell. */
export function listenToKeys(): () => void {
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}
