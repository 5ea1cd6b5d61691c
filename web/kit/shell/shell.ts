// Shared start-up of both shells.
import { listenToKeys } from './keys.tsx';
import { place } from './place.ts';
import { signalTheme } from './preferences.ts';

/** Prepares the document for the place, theme and shortcuts. */
export function beginShell(): HTMLElement {
  document.documentElement.dataset.place = place.id;
  signalTheme();
  listenToKeys();
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root element');
  return root;
}
