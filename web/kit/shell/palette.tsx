// Command palette: navigate, run commands and search.
import { useCombobox } from 'downshift';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { addressWith } from '../address.ts';
import { Icon, isIcon } from '../components/icon.tsx';
import type { IconName } from '../components/icons.ts';
import { nameOf } from '../form/record-field.tsx';
import { plainText } from '../format.ts';
import { useAnswer } from '../request/client.ts';
import { useRested } from '../rested.ts';
import { keyName, useKeys, useKnownKeys } from './keys.tsx';
import { place } from './place.ts';
import { useSession, type Session } from './session.tsx';
import { t } from './words.ts';

interface Entry {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly hint?: string;
  readonly icon: IconName;
  readonly keys?: string | undefined;
  readonly run: () => void;
}

let open = false;
const listeners = new Set<() => void>();
const setOpen = (next: boolean) => {
  open = next;
  for (const each of listeners) each();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Opens the palette, as `Mod K` does. */
export const openPalette = (): void => setOpen(true);

/** Palette component; mounted by the console's shell. */
export function Palette() {
  const shown = useSyncExternalStore(subscribe, () => open);
  useKeys([
    { keys: 'Mod+K', title: t('Search or run a command'), run: () => setOpen(!open), inFields: true, inDialogs: true },
    { keys: '/', title: t('Search or run a command'), run: () => setOpen(true), silent: true },
  ]);
  return shown ? <Opened /> : null;
}

const plain = (text: string) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');

function Opened() {
  const session = useSession();
  const [, go] = useLocation();
  const keys = useKnownKeys();
  const [text, setText] = useState('');
  const words = text.trim();
  const dialog = useRef<HTMLDialogElement>(null);
  const before = useRef(document.activeElement);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => {
      element?.close();
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    };
  }, []);
  const rested = useRested(words, 120);
  const search = place.id === 'console' ? 'GET /search.php' : 'GET /search';
  const { data } = useAnswer(search, { q: rested, limit: 6 }, { enabled: rested.length > 1 });
  const entries = useMemo((): Entry[] => {
    const wanted = plain(words).split(/\s+/).filter(Boolean);
    const fits = ({ title }: { title: string }) => wanted.every((each) => plain(title).includes(each));
    const acts = keys
      .filter(({ usual }) => !usual.includes('|') && usual !== 'Escape' && usual !== 'Mod+K' && !usual.startsWith('g '))
      .map((each): Entry => ({
        id: each.title,
        group: t('Do'),
        title: each.title,
        icon: 'arrow-right',
        keys: each.keys || undefined,
        run: each.run,
      }));
    const pages = session.pages
      .filter((each) => each.nav)
      .map((each): Entry => ({
        id: each.path,
        group: t('Go to'),
        title: each.title,
        icon: each.nav && isIcon(each.nav.icon) ? each.nav.icon : 'file',
        keys: each.nav?.key ?? undefined,
        run: () => go(each.path),
      }));
    return [
      ...hitsOf(session, data, words, go),
      ...pages.filter(fits).slice(0, wanted.length ? 8 : 30),
      ...acts.filter(fits).slice(0, 12),
    ];
  }, [session, data, words, keys, go]);

  const run = (entry: Entry) => {
    setOpen(false);
    // After the dialog has restored the focus.
    setTimeout(entry.run, 0);
  };
  const box = useCombobox<Entry>({
    items: entries,
    inputValue: text,
    isOpen: true,
    defaultHighlightedIndex: 0,
    itemToString: (each) => each?.title ?? '',
    onSelectedItemChange: ({ selectedItem }) => selectedItem && run(selectedItem),
  });
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t('Search or run a command')}
      onClose={() => setOpen(false)}
      onClick={(event) => event.target === dialog.current && setOpen(false)}
    >
      <div className="palette-field">
        <Icon name="search" />
        <input
          {...box.getInputProps({
            onChange: (event) => setText((event.target as HTMLInputElement).value),
            onKeyDown: (event) => {
              if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
              // Downshift would clear the text and keep the dialog open. The page below must not handle the key either.
              Object.assign(event.nativeEvent, { preventDownshiftDefault: true });
              event.preventDefault();
              setOpen(false);
            },
          })}
          aria-labelledby={undefined}
          aria-label={t('Search or run a command')}
          placeholder={t('Search tickets, companies and people, or run a command')}
          maxLength={200}
        />
        <kbd>{t('Esc')}</kbd>
      </div>
      <ul {...box.getMenuProps({ 'aria-labelledby': undefined, 'aria-label': t('Results') })} className="palette-hits">
        {entries.map((each, index) => (
          <li
            key={each.group + each.id}
            {...box.getItemProps({ item: each, index })}
            data-on={box.highlightedIndex === index || undefined}
          >
            <Icon name={each.icon} />
            <span className="palette-title">{each.title}</span>
            <span className="palette-group">{each.hint ?? each.group}</span>
            {each.keys && <kbd>{keyName(each.keys)}</kbd>}
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p className="palette-none">{t('No results.')}</p>}
    </dialog>
  );
}

/** Returns search hits, limited to record types the person has pages for. */
function hitsOf({ records }: Session, data: unknown, words: string, go: (to: string) => void): Entry[] {
  if (words.length < 2) return [];
  const arrays = (data ?? {}) as Readonly<Record<string, readonly Record<string, unknown>[]>>;
  const hits = records.flatMap((entry) => {
    const rows = arrays[entry.search ?? `${entry.type}s`];
    if (!Array.isArray(rows)) return [];
    return rows.map((row: Record<string, unknown>) => ({ entry, row, score: Number(row.score ?? 0) }));
  });
  return hits
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 12)
    .map(({ entry, row }): Entry => {
      const key = String(row[entry.id]);
      const to = addressWith(entry.path, key, row);
      return {
        id: entry.type + key,
        group: entry.title,
        title: nameOf(entry, row),
        hint: [plainText(row.company_name), entry.title].filter(Boolean).join(' · '),
        icon: isIcon(entry.icon) ? entry.icon : 'file',
        run: () => go(to),
      };
    });
}
