// Limits on guessing passwords (A-04, D8). Ten failures within 15 minutes from one address block that address for the
// account. From all addresses together, each failure after the fifth doubles the wait before the next attempt.
import { LRUCache } from 'lru-cache';
import { addressBucket } from './address.ts';
import { tokenHash } from './key.ts';
import type { Clock } from '../kit/time.ts';

export interface GuessLimiter {
  /**
   * Asks for one attempt: undefined when it is allowed, or else the seconds to wait. An allowed attempt counts as a failure
   * until its result is known, so that a thousand concurrent ones do not all pass. Call `failed` or `succeeded` after it.
   */
  check(username: string, address: string): Promise<number | undefined>;
  failed(username: string, address: string): Promise<void>;
  /** The attempt has no result, for example because the database was down, and does not count. */
  withdrawn(username: string, address: string): Promise<void>;
  /** The attempt does not count as a failure, and the account's doubling wait is reset. */
  succeeded(username: string, address: string): Promise<void>;
}

/** Times are milliseconds since 1970. */
export interface Guesses {
  /** Failures in a row. */
  readonly count: number;
  readonly last: number;
  /** Failures of the last 15 minutes. */
  readonly recent: readonly Guess[];
  /** Attempts whose result is not known yet. */
  readonly pending: readonly Guess[];
}

export interface Guess {
  readonly address: string;
  readonly at: number;
}

/** Stores the guesses of an account, until `FORGET_MS` after the last change. */
export interface GuessStore {
  /**
   * Atomically replaces the guesses under `key` by the `after` of `step`; answers its `answer`. `step` may run several
   * times. Undefined when concurrent changes won every time.
   */
  change<T>(key: string, step: (before: Guesses | undefined) => Step<T>): Promise<{ answer: T } | undefined>;
}

export interface Step<T> {
  /** Undefined when there is nothing left to store. */
  readonly after: Guesses | undefined;
  readonly answer: T;
}

export const FORGET_MS = 24 * 3600_000;
const WINDOW_MS = 15 * 60_000;
const PER_ADDRESS = 10;
const FREE_FAILURES = 5;
const LONGEST_WAIT_MS = 15 * 60_000;
/** After this an attempt without a result counts as failed. */
const PENDING_MS = 60_000;

/** Limits guesses. Usernames are compared without regard to case, and only their hashes are stored. */
export function guessLimiter(store: GuessStore, clock: Clock): GuessLimiter {
  const change = <T>(username: string, step: (guesses: Guesses, now: number) => Step<T>) => {
    const now = Date.parse(clock.now());
    return store.change(keyOf(username), (before) => step(upToDate(before, now), now));
  };
  return {
    async check(username, address) {
      const from = addressBucket(address);
      const done = await change(username, (guesses, now) => attempt(guesses, from, now));
      // The account is being tried many times a second.
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

/** Stores guesses in this process; beyond `max` accounts it drops the least recently used. */
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

/** Drops old failures, and counts attempts that never got a result as failed. */
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

// Hashed, so that long names cost no more than short ones, and passwords typed into the name field are not stored.
function keyOf(username: string): string {
  return tokenHash(username.normalize('NFKC').trim().toLowerCase());
}
