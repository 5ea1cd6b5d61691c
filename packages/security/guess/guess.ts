// Limits password guessing (A-04, SF-08). Ten failures within 15 minutes from one address block that address for the
// account. Across all addresses, each failure after the fifth doubles the wait before the next attempt, and after 100
// in a row only a new password helps. An address that fails with many accounts has to wait as well. Custom, because
// rate-limiter-flexible neither counts attempts in progress nor doubles waits.
import type { Clock } from '@keelson/kit/time.ts';
import { addressBucket } from '../address.ts';
import { tokenHash } from '../key.ts';
import type { Guess, Guesses, GuessStore, Step } from './guess-store.ts';

export interface GuessLimiter {
  /**
   * Reserves one attempt. Returns undefined if it is allowed, otherwise the seconds to wait. An allowed attempt counts
   * as a failure until its result is known, so that a thousand concurrent ones do not all pass. Call `failed` or
   * `succeeded` after it. A `known` device has its own counts, so that it does not wait for failures of its neighbours.
   */
  check(username: string, address: string, known?: boolean): Promise<number | undefined>;
  failed(username: string, address: string, known?: boolean): Promise<void>;
  /** Cancels an attempt that has no result, for example because the database was down. It does not count. */
  withdrawn(username: string, address: string, known?: boolean): Promise<void>;
  /** Removes the attempt from the failures and resets the account's doubling wait. */
  succeeded(username: string, address: string, known?: boolean): Promise<void>;
}

/** Beyond this wait, in seconds, only a new password helps. */
export const LONGEST_GUESS_WAIT = 900;

const FORGET_MS = 24 * 3600_000;
const FORGET_LOCKED_MS = 30 * FORGET_MS;
const PER_ADDRESS = { most: 10, windowMs: 15 * 60_000 };
const ALL_OF_ADDRESS = { most: 30, windowMs: 10 * 60_000 };
const FREE_FAILURES = 5;
const MOST_IN_A_ROW = 100;
/** After this, an attempt without a result counts as failed. */
const PENDING_MS = 60_000;

/**
 * Creates the limiter. Usernames are case-insensitive, and only their hashes are stored.
 * @param onFailure called on every failure
 */
export function guessLimiter(store: GuessStore, clock: Clock, onFailure = () => {}): GuessLimiter {
  type Change<T> = (guesses: Guesses, now: number) => Step<T>;
  const change = <T>(key: string, step: Change<T>) => {
    const now = Date.parse(clock.now());
    return store.change(key, (before) => step(upToDate(before, now), now));
  };
  const ask = async (key: string, step: Change<number | undefined>) => {
    const done = await change(key, step);
    // Undefined means the account is under many attempts per second.
    return done ? done.answer : 1;
  };
  const apply = async (key: string, after: (guesses: Guesses, now: number) => Guesses | undefined) => {
    await change(key, (guesses, now) => ({ after: after(guesses, now), answer: undefined }));
  };
  return {
    async check(username, address, known = false) {
      const from = addressBucket(address);
      const ofAddress = (guesses: Guesses, now: number) => addressWait(guesses, from, now, ALL_OF_ADDRESS);
      const wait = known
        ? undefined
        : await ask(addressKey(from), (guesses, now) => attempt(guesses, from, now, ofAddress(guesses, now)));
      if (wait !== undefined) return wait;
      const ofAccount = (guesses: Guesses, now: number) =>
        Math.max(addressWait(guesses, from, now, PER_ADDRESS), accountWait(guesses, now));
      const refused = await ask(keyOf(username), (guesses, now) =>
        attempt(guesses, from, now, ofAccount(guesses, now)),
      );
      if (refused !== undefined && !known) await apply(addressKey(from), (guesses) => withdrawal(guesses, from));
      return refused;
    },
    async failed(username, address, known = false) {
      const from = addressBucket(address);
      await apply(keyOf(username), (guesses, now) => failure(guesses, from, now));
      if (!known) await apply(addressKey(from), (guesses, now) => failure(guesses, from, now));
      onFailure();
    },
    async withdrawn(username, address, known = false) {
      const from = addressBucket(address);
      await apply(keyOf(username), (guesses) => withdrawal(guesses, from));
      if (!known) await apply(addressKey(from), (guesses) => withdrawal(guesses, from));
    },
    async succeeded(username, address, known = false) {
      const from = addressBucket(address);
      await apply(keyOf(username), (guesses) => success(guesses, from));
      // A correct password does not vouch for other accounts tried from the same address.
      if (!known) await apply(addressKey(from), (guesses) => withdrawal(guesses, from));
    },
  };
}

/** Returns how long the guesses must be stored, in milliseconds. */
export function keepMs({ count, pending }: Guesses): number {
  return count + pending.length >= MOST_IN_A_ROW ? FORGET_LOCKED_MS : FORGET_MS;
}

function attempt(guesses: Guesses, address: string, now: number, waitMs: number): Step<number | undefined> {
  if (waitMs > 0) return { after: guesses, answer: Math.ceil(waitMs / 1000) };
  return { after: { ...guesses, pending: [...guesses.pending, { address, at: now }] }, answer: undefined };
}

interface Most {
  readonly most: number;
  readonly windowMs: number;
}

function addressWait({ recent, pending }: Guesses, address: string, now: number, { most, windowMs }: Most): number {
  const times = [...recent, ...pending].filter((guess) => guess.address === address).map(({ at }) => at);
  const frees = times.sort((a, b) => a - b).at(-most);
  return frees === undefined ? 0 : frees + windowMs - now;
}

function accountWait({ count, last, pending }: Guesses, now: number): number {
  const failures = count + pending.length;
  if (failures < FREE_FAILURES) return 0;
  const since = Math.max(last, ...pending.map(({ at }) => at));
  if (failures >= MOST_IN_A_ROW) return since + FORGET_LOCKED_MS - now;
  return since + Math.min(LONGEST_GUESS_WAIT, 2 ** (failures - FREE_FAILURES)) * 1000 - now;
}

function failure(guesses: Guesses, address: string, now: number): Guesses {
  const recent = [...guesses.recent, { address, at: now }];
  return { count: guesses.count + 1, last: now, recent, pending: withoutOne(guesses.pending, address) };
}

function withdrawal(guesses: Guesses, address: string): Guesses | undefined {
  const pending = withoutOne(guesses.pending, address);
  if (guesses.count + guesses.recent.length + pending.length === 0) return undefined;
  return { ...guesses, pending };
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
  const forgotten = last <= now - keepMs(before);
  return {
    count: forgotten ? 0 : before.count + lost.length,
    last,
    recent: [...before.recent, ...lost].filter(({ at }) => at > now - PER_ADDRESS.windowMs),
    pending: before.pending.filter(({ at }) => at > now - PENDING_MS),
  };
}

function addressKey(address: string): string {
  return tokenHash(`address ${address}`);
}

// Hashed, so that long names cost no more than short ones, and passwords typed into the name field are not stored.
function keyOf(username: string): string {
  return tokenHash(username.normalize('NFKC').trim().toLowerCase());
}
