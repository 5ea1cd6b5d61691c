// What both shells begin with.
import { signalTheme } from './preferences.ts';
import { listenToKeys } from './keys.tsx';
import { place } from './place.ts';

/** Prepares the document: the place for style sheets, the theme, the keys. */
export function beginShell(): HTMLElement {
  document.documentElement.dataset.place = place.id;
  signalTheme();
  listenToKeys();
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root');
  return root;
}
