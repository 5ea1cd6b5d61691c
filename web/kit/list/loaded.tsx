// What a list shows before its rows are there.
import type { ReactNode } from 'react';
import { Bones, Failed } from '../components/parts.tsx';
import type { Rows } from './pages.ts';

interface LoadedProps {
  readonly list: Pick<Rows<unknown>, 'loading' | 'error' | 'retry'>;
  readonly children?: ReactNode;
}

/** Shows its children once a list is loaded; until then a skeleton, or why it could not be loaded. */
export function Loaded({ list: { loading, error, retry }, children }: LoadedProps) {
  if (error) return <Failed error={error} retry={retry} />;
  return loading ? <Bones /> : children;
}
