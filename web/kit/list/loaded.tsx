// What a list shows before its rows are there.
import type { ReactNode } from 'react';
import { Bones, Failed } from '../components/parts.tsx';
import type { Rows } from './pages.ts';

type Loading = Pick<Rows<unknown>, 'loading' | 'error' | 'retry'>;

interface LoadedProps {
  /** One list, or several that are shown together. */
  readonly list: Loading | readonly Loading[];
  readonly children?: ReactNode;
}

/** Shows its children once a list is loaded; until then a skeleton, or why it could not be loaded. */
export function Loaded({ list, children }: LoadedProps) {
  const all = [list].flat();
  const error = all.find((each) => each.error)?.error;
  if (error) return <Failed error={error} retry={() => all.forEach((each) => each.retry())} />;
  return all.some((each) => each.loading) ? <Bones /> : children;
}
