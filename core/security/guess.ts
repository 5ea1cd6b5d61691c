// Guessing passwords (A-04, D8). Two rules: ten failures in 15 minutes from one address stop that address for the
// account; and from any addresses together, each failure after the fifth doubles the wait before the next attempt.
import { LRUCache } from 'lru-cache';
import { addressBucket } from './address.ts';
import { tokenHash } from './key.ts';
import type { Clock } from '../kit/time.ts';

export interface GuessLimiter {
  /**
   * Asks for one attempt: undefined when it may be made, else the seconds to wait. An allowed attempt counts as a failure
   * until told otherwise, so that a thousand made at the same time do not all pass: follow it with `failed` or `succeeded`.
   */
  check(username: string, address: string): Promise<number | undefined>;
  failed(username: string, address: string): Promise<void>;
  /** The attempt could not be judged: it does not count either way. */
  withdrawn(username: string, address: string): Promise<void>;
  /** The attempt does not count, and the account's growing wait starts over. */
  succeeded(username: string, address: string): Promise<void>;
}

/** Times are milliseconds since 1970. */
export interface Guesses {
  /** Failures in a row. */
  readonly count: number;
  readonly last: number;
  /** Failures of the last 15 minutes. */
  readonly recent: readonly Guess[];
  /** Attempts whose outcome is not known yet. */
  readonly pending: readonly Guess[];
}

export interface Guess {
  readonly address: string;
  readonly at: number;
}

/** Keeps the guesses of an account for `FORGET_MS` after the last change. */
export interface GuessStore {
  /**
   * Replaces what is kept under `key` by what `step` makes of it, with no other change in between, and answers the
   * step's `answer`; `step` may run several times. Undefined when others were always faster.
   */
  change<T>(key: string, step: (before: Guesses | undefined) => Step<T>): Promise<{ answer: T } | undefined>;
}

export interface Step<T> {
  /** Undefined: nothing is left to keep. */
  readonly after: Guesses | undefined;
  readonly answer: T;
}

export const FORGET_MS = 24 * 3600_000;
const WINDOW_MS = 15 * 60_000;
const PER_ADDRESS = 10;
const FREE_FAILURES = 5;
const LONGEST_WAIT_MS = 15 * 60_000;
/** An attempt that never reported back has failed. */
const PENDING_MS = 60_000;

/** Limits guesses. `username` is compared without regard to case, and its spelling is not kept. */
export function guessLimiter(store: GuessStore, clock: Clock): GuessLimiter {
  const change = <T>(username: string, step: (guesses: Guesses, now: number) => Step<T>) => {
    const now = Date.parse(clock.now());
    return store.change(keyOf(username), (before) => step(upToDate(before, now), now));
  };
  return {
    async check(username, address) {
      const from = addressBucket(address);
      const done = await change(username, (guesses, now) => attempt(guesses, from, now));
      // Somebody is trying this account many times a second.
      return done ? done.answer : 1;
    },
    async failed(username, address) {
      const from = addressBucket(address);
      await change(username, (guesses, now) => ({ after: failure(guesses, from, now), answer: undefined }));
    },
    async withdrawn(username, address) {
      const from = addressBucket(address);
      const without = (guesses: Guesses) => ({ ...guesses, pending: withoutOne(guesses.pending, from) });
      await change(username, (guesses) => ({ after: without(guesses), answer: undefined }));
    },
    async succeeded(username, address) {
      const from = addressBucket(address);
      await change(username, (guesses) => ({ after: success(guesses, from), answer: undefined }));
    },
  };
}

/** Guesses known to this process; beyond `max` accounts the longest untouched is forgotten. */
export function memoryGuessStore(max = 50_000): GuessStore {
  const kept = new LRUCache<string, Guesses>({ max });
  return {
    async change(key, step) {
      const { after, answer } = step(kept.get(key));
      if (after) kept.set(key, after);
      else kept.delete(key);
      return { answer };
    },
  };
}

function attempt(guesses: Guesses, address: string, now: number): Step<number | undefined> {
  const waitMs = Math.max(addressWait(guesses, address, now), accountWait(guesses, now));
  if (waitMs > 0) return { after: guesses, answer: Math.ceil(waitMs / 1000) };
  return { after: { ...guesses, pending: [...guesses.pending, { address, at: now }] }, answer: undefined };
}

function addressWait({ recent, pending }: Guesses, address: string, now: number): number {
  const times = [...recent, ...pending].filter((guess) => guess.address === address).map(({ at }) => at);
  const frees = times.sort((a, b) => a - b).at(-PER_ADDRESS);
  return frees === undefined ? 0 : frees + WINDOW_MS - now;
}

function accountWait({ count, last, pending }: Guesses, now: number): number {
  const failures = count + pending.length;
  if (failures < FREE_FAILURES) return 0;
  const since = Math.max(last, ...pending.map(({ at }) => at));
  return since + Math.min(LONGEST_WAIT_MS, 1000 * 2 ** (failures - FREE_FAILURES)) - now;
}

function failure(guesses: Guesses, address: string, now: number): Guesses {
  const recent = [...guesses.recent, { address, at: now }];
  return { count: guesses.count + 1, last: now, recent, pending: withoutOne(guesses.pending, address) };
}

function success(guesses: Guesses, address: string): Guesses | undefined {
  const pending = withoutOne(guesses.pending, address);
  if (guesses.recent.length + pending.length === 0) return undefined;
  return { ...guesses, count: 0, pending };
}

function withoutOne(pending: readonly Guess[], address: string): readonly Guess[] {
  const index = pending.findIndex((guess) => guess.address === address);
  return pending.filter((_, i) => i !== index);
}

/** The guesses without what is over: old failures leave, and attempts nobody reported on have failed. */
function upToDate(before: Guesses | undefined, now: number): Guesses {
  if (!before) return { count: 0, last: 0, recent: [], pending: [] };
  const lost = before.pending.filter(({ at }) => at <= now - PENDING_MS);
  const last = Math.max(before.last, ...lost.map(({ at }) => at));
  const forgotten = last <= now - FORGET_MS;
  return {
    count: forgotten ? 0 : before.count + lost.length,
    last,
    recent: [...before.recent, ...lost].filter(({ at }) => at > now - WINDOW_MS),
    pending: before.pending.filter(({ at }) => at > now - PENDING_MS),
  };
}

// Hashed: a long name costs no more than a short one, and names people mistyped as passwords are not kept.
function keyOf(username: string): string {
  return tokenHash(username.normalize('NFKC').trim().toLowerCase());
}
