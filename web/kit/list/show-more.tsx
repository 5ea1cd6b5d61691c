import { useState, type ReactNode } from 'react';
import { Button } from '../components/parts.tsx';
import { t } from '../shell/words.ts';
import { firstRows, type Rows } from './pages.ts';

const STEP = 25;

/** Returns the first rows of a long list within another page, and the button that shows more of them, if there are. */
export function useShowMore<R>(list: Rows<R>): { readonly rows: readonly R[]; readonly more: ReactNode } {
  const [shown, setShown] = useState(STEP);
  const show = (most: number) => {
    list.need(0, most - 1);
    setShown(most);
  };
  return {
    rows: firstRows(list, shown),
    more: list.total > shown && <Button onClick={() => show(shown + STEP)}>{t('Show more')}</Button>,
  };
}
