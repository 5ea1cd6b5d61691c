import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(max-width: 760px)');
const touch = matchMedia('(pointer: coarse)');

const subscribe = (listener: () => void) => {
  for (const each of [narrow, touch]) each.addEventListener('change', listener);
  return () => {
    for (const each of [narrow, touch]) each.removeEventListener('change', listener);
  };
};

/** Whether the window is as narrow as a telephone's, and whether fingers point. */
export function useNarrow(): { readonly narrow: boolean; readonly touch: boolean } {
  const state = useSyncExternalStore(subscribe, () => `${narrow.matches} ${touch.matches}`);
  const [isNarrow, isTouch] = state.split(' ');
  return { narrow: isNarrow === 'true', touch: isTouch === 'true' };
}
