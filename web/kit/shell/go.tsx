// Navigation by a page, which may be left before a request of it is answered.
import { createContext, use, useCallback, type ReactNode, type RefObject } from 'react';
import { useLocation } from 'wouter';
import { useShown } from '../shown.ts';

const Shown = createContext<Readonly<RefObject<boolean>>>({ current: true });

/** Marks its content as one page, shown until it is left. */
export function Current({ children }: { children: ReactNode }) {
  return <Shown value={useShown()}>{children}</Shown>;
}

type Go = ReturnType<typeof useLocation>[1];

/** Returns a function that opens an address, unless the page that uses it has been left. */
export function useGo(): Go {
  const [, go] = useLocation();
  const shown = use(Shown);
  return useCallback<Go>((...to) => void (shown.current && go(...to)), [go, shown]);
}
