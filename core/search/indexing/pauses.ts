// Throttles the indexer: during heavy writes it works for a small share of the time, in batches that grow with the
// backlog, which lowers the cost per record.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@keelson/database/db.ts';
import { sql } from '@keelson/database/statement/sql.ts';

/** Changes per second above which other writers take precedence. A person makes one every few seconds. */
const MANY = 50;
/** Share of the time that the indexer works during heavy writes. */
const FIRST = 1 / 20;
/** The share after a minute of heavy writes: the index must not fall behind for hours. */
const LATER = 1 / 4;
const LATER_MS = 60_000;
/** Interval between checks for heavy writes. */
const LOOK_MS = 500;
/** Bulk writes commit in batches, with pauses in which the database seems idle. */
const RUSH_MS = 3000;
/** Delay after heavy writes start: most bulk writes are done by then. */
const GIVE_WAY_MS = 1000;

export interface Pauses {
  /** Call before looking for changes. Delays when heavy writes start; false when the indexer is to stop. */
  giveWay(): Promise<boolean>;
  /** Call at the start of each batch. */
  begin(): void;
  /**
   * Pauses after a batch for the required time; false when the indexer is to stop.
   * @param share maximum share of the time to work without heavy writes; all of it by default
   */
  wait(share?: number): Promise<boolean>;
  stop(): void;
}

/** Measures time and waits. Tests replace it. */
export interface Timing {
  now(): number;
  /** Rejects when aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

const real: Timing = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { ref: false, signal }),
};

export function pauses(database: () => Database, timing: Timing = real): Pauses {
  const ended = new AbortController();
  let begun = timing.now();
  let last: { readonly position: number; readonly at: number } | undefined;
  /** When the heavy writes started, and when they were last seen. */
  let rush: { readonly since: number; readonly last: number } | undefined;

  /** Returns the share of the time that the indexer may work now. */
  async function shareNow(): Promise<number> {
    const [row] = await database().query<{ position: unknown }>(
      sql`SELECT COALESCE(MAX(change_id), 0) AS position FROM record_change`,
    );
    const now = { position: Number(row?.position), at: timing.now() };
    const written = last && ((now.position - last.position) * 1000) / (now.at - last.at);
    last = now;
    if (written !== undefined && written >= MANY) rush = { since: rush?.since ?? now.at, last: now.at };
    else if (rush && now.at - rush.last > RUSH_MS) rush = undefined;
    if (!rush) return 1;
    return now.at - rush.since > LATER_MS ? LATER : FIRST;
  }

  /** Rejects only on abort, which callers check themselves. */
  const rest = (ms: number): Promise<void> => timing.sleep(ms, ended.signal).catch(() => undefined);

  return {
    async giveWay() {
      const was = rush !== undefined;
      const share = await shareNow();
      if (share < 1 && !was) await rest(GIVE_WAY_MS);
      return !ended.signal.aborted;
    },
    begin() {
      begun = timing.now();
    },
    async wait(share = 1) {
      const end = timing.now();
      const took = end - begun;
      while (!ended.signal.aborted) {
        const due = took / Math.min(share, await shareNow()) - took;
        const left = end + due - timing.now();
        if (left <= 0) break;
        await rest(Math.min(left, LOOK_MS));
      }
      return !ended.signal.aborted;
    },
    stop: () => ended.abort(),
  };
}
