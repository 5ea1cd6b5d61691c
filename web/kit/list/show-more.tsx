import { useState, type ReactNode } from 'react';
import { Button, Failed } from '../components/parts.tsx';
import { t } from '../shell/words.ts';
import { firstRows, type Pages } from './pages.ts';

const STEP = 25;

/**
 * Returns the first rows of a long list within another page, and what follows them: the button that shows more, or why
 * they could not be loaded.
 */
export function useShowMore<R>(list: Pages<R>): { readonly rows: readonly R[]; readonly more: ReactNode } {
  const [shown, setShown] = useState(STEP);
  const show = (most: number) => {
    list.need(0, most - 1);
    setShown(most);
  };
  return {
    rows: firstRows(list, shown),
    more: list.missing ? (
      <Failed error={list.missing} retry={list.retry} />
    ) : (
      list.total > shown && <Button onClick={() => show(shown + STEP)}>{t('Show more')}</Button>
    ),
  };
}
