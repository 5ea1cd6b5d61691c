// Passes time measured by one module, such as a timer, to another module's form.
import { useEffect, useSyncExternalStore } from 'react';

export interface Measured {
  readonly minutes: number;
  /** Called once the time is logged, or is being logged while the page closes. */
  readonly used: (leaving?: boolean) => void;
}

const known = new Map<string, Measured>();
const listeners = new Set<() => void>();
const told = () => listeners.forEach((each) => each());
const keyOf = (type: string, id: number) => `${type}/${id}`;

/** Publishes the time measured for a record while the component is mounted; undefined for none. */
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
    // The callback changes on every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [type, id, minutes]);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Returns the time measured for a record, such as by a timer. */
export const useMeasured = (type: string, id: number): Measured | undefined =>
  useSyncExternalStore(subscribe, () => known.get(keyOf(type, id)));
