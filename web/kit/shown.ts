// Tells, when an answer arrives, whether its form is still there to show it.
import { useEffect, useRef, type RefObject } from 'react';

/** Returns whether the component is on the page and its form open, for a request that is answered later. */
export function useShown(open = true): Readonly<RefObject<boolean>> {
  const shown = useRef(open);
  useEffect(() => {
    shown.current = open;
    return () => void (shown.current = false);
  }, [open]);
  return shown;
}
