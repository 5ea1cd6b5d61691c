// The indexer gives way: while others write a lot it works for a small part of the time, in batches that grow with what
// waits, so that each record costs less.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../database/sql.ts';
import type { Database } from '../database/db.ts';

/** Changes per second from which on others come first. A person makes one in some seconds. */
const MANY = 50;
/** The part of its time in which it works then. */
const FIRST = 1 / 20;
/** The same when that goes on for a minute: the index must not fall behind for hours. */
const LATER = 1 / 4;
const LATER_MS = 60_000;
/** How often it looks whether others still write a lot. */
const LOOK_MS = 500;
/** Whoever writes a lot commits it in batches, and nothing seems to be written in between. */
const RUSH_MS = 3000;
/** Whoever begins to write a lot is let alone for so long: most are done by then. */
const GIVE_WAY_MS = 1000;

export interface Pauses {
  /** To be called before a look for changes: rests while somebody begins to write a lot; false when the indexer is to stop. */
  giveWay(): Promise<boolean>;
  /** To be called when a batch begins. */
  begin(): void;
  /**
   * Waits after a batch as long as is due; false when the indexer is to stop.
   * @param share the part of its time in which it works at most, when others do not write; all of it unless given
   */
  wait(share?: number): Promise<boolean>;
  stop(): void;
}

export function pauses(database: () => Database): Pauses {
  const ended = new AbortController();
  let begun = performance.now();
  let last: { readonly position: number; readonly at: number } | undefined;
  /** Since when others write a lot, and when they last did. */
  let rush: { readonly since: number; readonly last: number } | undefined;

  /** The part of the time in which the indexer may work now. */
  async function shareNow(): Promise<number> {
    const [row] = await database().query<{ position: unknown }>(
      sql`SELECT COALESCE(MAX(change_id), 0) AS position FROM record_change`,
    );
    const now = { position: Number(row?.position), at: performance.now() };
    const written = last && ((now.position - last.position) * 1000) / (now.at - last.at);
    last = now;
    if (written !== undefined && written >= MANY) rush = { since: rush?.since ?? now.at, last: now.at };
    else if (rush && now.at - rush.last > RUSH_MS) rush = undefined;
    if (!rush) return 1;
    return now.at - rush.since > LATER_MS ? LATER : FIRST;
  }

  /** It rejects only when it is ended, which whoever rests sees. */
  const rest = (ms: number): Promise<void> =>
    sleep(ms, undefined, { ref: false, signal: ended.signal }).catch(() => undefined);

  return {
    async giveWay() {
      const was = rush !== undefined;
      const share = await shareNow();
      if (share < 1 && !was) await rest(GIVE_WAY_MS);
      return !ended.signal.aborted;
    },
    begin() {
      begun = performance.now();
    },
    async wait(share = 1) {
      const end = performance.now();
      const took = end - begun;
      while (!ended.signal.aborted) {
        const due = took / Math.min(share, await shareNow()) - took;
        const left = end + due - performance.now();
        if (left <= 0) break;
        await rest(Math.min(left, LOOK_MS));
      }
      return !ended.signal.aborted;
    },
    stop: () => ended.abort(),
  };
}
