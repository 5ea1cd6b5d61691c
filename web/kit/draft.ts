// Drafts of unsent text, saved in the browser on each keystroke by person, record and kind, until sent or discarded.
import { useCallback, useEffect, useState } from 'react';
import { place } from './shell/place.ts';
import { useSession } from './shell/session.tsx';

const PREFIX = 'keelson.draft.';

type Next = string | ((now: string) => string);

/** The forms that show a draft: one that was left may get its text back when another already shows it. */
const shown = new Set<(name: string, text: string) => void>();

/**
 * Text that survives a reload, an expired session and another person's edit: `useDraft('ticket/7/reply')`. `sent` clears
 * it once the text has arrived.
 */
export function useDraft(
  key: string,
): readonly [text: string, set: (next: Next) => void, sent: (text: string) => void] {
  const { person } = useSession();
  // A technician and an employee may have the same number.
  const name = `${PREFIX}${place.id === 'portal' ? 'portal.' : ''}${person.id}.${key}`;
  const [held, hold] = useState({ name, text: read(name) });
  const now = held.name === name ? held : { name, text: read(name) };
  if (now !== held) hold(now);
  useEffect(() => {
    const show = (changed: string, text: string) => changed === name && hold({ name, text });
    shown.add(show);
    return () => void shown.delete(show);
  }, [name]);
  const set = useCallback(
    (next: Next) => {
      const text = typeof next === 'string' ? next : next(read(name));
      hold({ name, text });
      write(name, text);
      for (const show of shown) show(name, text);
    },
    [name],
  );
  // What was typed since then is not lost.
  const sent = useCallback((text: string) => void (read(name).trim() === text && set('')), [name, set]);
  return [now.text, set, sent];
}

function read(name: string): string {
  return localStorage.getItem(name) ?? '';
}

function write(name: string, text: string): void {
  if (text === '') return localStorage.removeItem(name);
  if (keep(name, text)) return;
  // Storage quota exceeded: evict half of the other drafts. If that fails, the text stays in memory only.
  const others = Object.keys(localStorage).filter((each) => each.startsWith(PREFIX) && each !== name);
  for (const each of others.slice(0, Math.ceil(others.length / 2))) localStorage.removeItem(each);
  keep(name, text);
}

function keep(name: string, text: string): boolean {
  try {
    localStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}
