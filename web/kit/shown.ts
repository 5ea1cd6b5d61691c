// Tells, when an answer arrives, whether its form is still there to show it.
import { useEffect, useMemo, useRef, type RefObject } from 'react';

/** Returns whether the component is still on the page, for a request that is answered later. */
export function useShown(): Readonly<RefObject<boolean>> {
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => void (shown.current = false);
  }, []);
  return shown;
}

interface Turn {
  /** To be called when the form is sent. */
  begin(): void;
  /** Whether the form that was sent is still open: one that was closed and opened again is another. */
  lasts(): boolean;
}

/** Tells, when a form is answered, whether it is still the same form. */
export function useTurn(open: boolean): Turn {
  const now = useRef(0);
  const sent = useRef(0);
  useEffect(() => {
    now.current += 1;
    return () => void (now.current += 1);
  }, [open]);
  return useMemo(
    () => ({ begin: () => void (sent.current = now.current), lasts: () => sent.current === now.current }),
    [],
  );
}
