// What is being written is kept in the browser at each key, per person, record and kind, until it is sent or discarded.
import { useCallback, useState } from 'react';
import { useSession } from './session.tsx';

const PREFIX = 'keelson.draft.';

/** A text that survives a reload, an expired sign-in and another's change: `useDraft('ticket/7/reply')`. */
export function useDraft(key: string): readonly [text: string, set: (text: string) => void] {
  const { person } = useSession();
  const name = `${PREFIX}${person.id}.${key}`;
  const [held, hold] = useState({ name, text: read(name) });
  const now = held.name === name ? held : { name, text: read(name) };
  if (now !== held) hold(now);
  const set = useCallback(
    (text: string) => {
      hold({ name, text });
      write(name, text);
    },
    [name],
  );
  return [now.text, set];
}

function read(name: string): string {
  return localStorage.getItem(name) ?? '';
}

function write(name: string, text: string): void {
  if (text === '') return localStorage.removeItem(name);
  if (keep(name, text)) return;
  // The browser's room is full: other drafts make way. Where even that is not enough, the text lives in the page alone.
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
