// Time that one module has measured for a record, for the form of another that takes it down.
import { useEffect, useSyncExternalStore } from 'react';

export interface Measured {
  readonly minutes: number;
  /** Called once the time is written down elsewhere. */
  readonly used: () => void;
}

const known = new Map<string, Measured>();
const listeners = new Set<() => void>();
const told = () => listeners.forEach((each) => each());
const keyOf = (type: string, id: number) => `${type}/${id}`;

/** Offers what was measured for a record while the component is shown; undefined while there is nothing. */
export function useOffer(type: string, id: number, measured: Measured | undefined): void {
  const minutes = measured?.minutes;
  useEffect(() => {
    const key = keyOf(type, id);
    if (!measured) return;
    known.set(key, measured);
    told();
    return () => {
      known.delete(key);
      told();
    };
    // The function is another one at each drawing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [type, id, minutes]);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** What was measured for a record, such as by a timer. */
export const useMeasured = (type: string, id: number): Measured | undefined =>
  useSyncExternalStore(subscribe, () => known.get(keyOf(type, id)));
