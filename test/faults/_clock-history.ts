// Random histories of tickets with an SLA: what happens to each ticket, and when.
import { weekdays } from '../../modules/levels/calendars/entities.ts';

/** Minutes of the histories, around the clock changes of March 2026. */
export const DAYS = 32;
export const LENGTH = DAYS * 1440;
export const FIRST_DAY = '2026-03-04';
export const zones = [
  'Europe/Berlin',
  'Europe/Lisbon',
  'America/New_York',
  'America/St_Johns',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'UTC',
] as const;

/** The first of the policies are changed while clocks run. */
export const REPLANNED = 3;

export type Act = 'create' | 'ask' | 'reply' | 'hold' | 'resume' | 'close' | 'reopen' | 'raise' | 'lower';

export interface Happening {
  /** Number of the ticket, from 0. */
  readonly of: number;
  /** Its number within the ticket's history. */
  readonly step: number;
  readonly minute: number;
  readonly act: Act;
}

/** Returns a generator of random numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const whileOpen: readonly Act[] = ['ask', 'ask', 'reply', 'reply', 'hold', 'resume', 'close', 'raise', 'lower'];
const MOST_STEPS = 10;

/** Returns what happens to a ticket, in order. A closed one is only reopened. */
export function historyOf(seed: number, of: number): Happening[] {
  const random = randomFrom(seed + of * 7919);
  const below = (most: number) => Math.floor(random() * most);
  let minute = below(LENGTH / 2);
  let isOpen = true;
  const history: Happening[] = [{ of, step: 0, minute, act: 'create' }];
  for (let step = 1; step <= below(MOST_STEPS); step++) {
    // Half hours make it likely that something happens at the instant a clock is due.
    minute += 1 + (random() < 0.5 ? below(96) * 30 : below(4000));
    if (minute >= LENGTH) break;
    const act: Act = isOpen ? (whileOpen[below(whileOpen.length)] ?? 'ask') : 'reopen';
    isOpen = act !== 'close';
    history.push({ of, step, minute, act });
  }
  return history;
}

/** Returns random hours of a week, at least one span. */
export function weekOf(random: () => number) {
  const hours = weekdays.flatMap((weekday) => {
    if (random() < 0.3) return [];
    const from = Math.floor(random() * 12);
    const to = from + 1 + Math.floor(random() * (23 - from));
    return [{ weekday, from: timeOf(from * 60), to: timeOf(to * 60) }];
  });
  return hours.length > 0 ? hours : [{ weekday: 'monday' as const, from: '09:00', to: '17:00' }];
}

const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Returns random targets for both priorities of the histories. */
export function targetsOf(random: () => number) {
  const minutes = (most: number) => (random() < 0.15 ? null : (1 + Math.floor(random() * most)) * 30);
  return [2, 3].map((priority) => ({
    priority,
    response_minutes: minutes(20),
    next_response_minutes: minutes(30),
    resolution_minutes: minutes(90),
  }));
}
