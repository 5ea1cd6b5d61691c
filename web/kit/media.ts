import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(max-width: 760px)');
const touch = matchMedia('(pointer: coarse)');

const subscribe = (listener: () => void) => {
  for (const each of [narrow, touch]) each.addEventListener('change', listener);
  return () => {
    for (const each of [narrow, touch]) each.removeEventListener('change', listener);
  };
};

/** Returns whether the window is phone-sized and whether input is by touch. */
export function useNarrow(): { readonly narrow: boolean; readonly touch: boolean } {
  const state = useSyncExternalStore(subscribe, () => `${narrow.matches} ${touch.matches}`);
  const [isNarrow, isTouch] = state.split(' ');
  return { narrow: isNarrow === 'true', touch: isTouch === 'true' };
}
