// Detects a surge of failed sign-ins (SF-08). Each process counts its own.
import type { Clock } from '@keelson/kit/time.ts';

export interface GuessAlarm {
  /** Counts a failure. */
  failed(): void;
  /** Returns the failures of the current ten minutes. */
  current(): number;
}

const SLOT_MS = 10 * 60_000;
/** The baseline is the average of one day. */
const SLOTS = 144;
const TIMES_USUAL = 50;
const QUIET_SLOTS = 6;

/**
 * @param raise called at most once an hour, when ten minutes have 50 times the baseline, which is at least one failure
 */
export function guessAlarm(clock: Clock, raise: (failures: number, usual: number) => void): GuessAlarm {
  const counts = new Map<number, number>();
  let raised = -Infinity;
  const slotNow = () => Math.floor(Date.parse(clock.now()) / SLOT_MS);
  const usual = (slot: number): number => {
    let sum = 0;
    for (const [each, count] of counts) {
      if (each <= slot - SLOTS) counts.delete(each);
      else if (each !== slot) sum += count;
    }
    return Math.max(1, sum / (SLOTS - 1));
  };
  return {
    failed() {
      const slot = slotNow();
      const count = (counts.get(slot) ?? 0) + 1;
      counts.set(slot, count);
      const normal = usual(slot);
      if (count < TIMES_USUAL * normal || slot < raised + QUIET_SLOTS) return;
      raised = slot;
      raise(count, normal);
    },
    current: () => counts.get(slotNow()) ?? 0,
  };
}
