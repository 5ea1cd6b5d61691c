// Reads the change feed (plugin/change-feed.ts) once for all listeners of a process.
import { listed, sql, type Context } from '@keelson/core';
import { joined, type Db } from '@keelson/core/database';
import type { ChangeKind, Doing } from '@keelson/core/plugin';

export interface SeenChange {
  readonly change_id: number;
  readonly type: string;
  readonly record_id: number;
  readonly kind: ChangeKind | Doing;
  readonly company_number: number | null;
  readonly internal: boolean;
  readonly author_type: Context['author']['type'];
  readonly author_id: number | null;
}

/** The result of reading the feed; undefined members have too many changes to send one by one. */
export interface Found {
  /** Changes not seen before. */
  readonly fresh: readonly SeenChange[] | undefined;
  /** Everything after the requested id, for clients that reconnect. */
  readonly since: readonly SeenChange[] | undefined;
}

export interface ChangeReader {
  /** Every change up to this id is known, so a stream can resume from here. */
  readonly safe: number;
  /** Starts at the newest change. */
  start(db: Db): Promise<void>;
  /** Reads new changes and, if `after` is given, those that followed that id. */
  read(db: Db, after?: number): Promise<Found>;
}

/** Maximum changes to send one by one per read. */
const MOST = 2000;
/** How many ids before its start a reader watches for late commits. */
const LOOK_BACK = 1000;
/** A missing id this old was rolled back: no transaction takes that long. */
const GIVEN_UP_MS = 60_000;
const MOST_MISSING = 2000;

/**
 * Creates a reader. A transaction gets its ids before it commits, so lower ids may become visible later. The reader
 * remembers missing ids and queries them again until they appear or no open transaction can still hold them.
 */
export function changeReader(): ChangeReader {
  let position = 0;
  const missing = new Map<number, number>();
  const miss = (from: number, to: number, present: ReadonlySet<number>): void => {
    const now = performance.now();
    for (let id = Math.max(from, to - MOST_MISSING); id <= to; id++) if (!present.has(id)) missing.set(id, now);
    for (const [id, since] of missing) if (now - since > GIVEN_UP_MS || missing.size > MOST_MISSING) missing.delete(id);
  };
  return {
    get safe() {
      let safe = position;
      for (const id of missing.keys()) safe = Math.min(safe, id - 1);
      return safe;
    },
    async start(db) {
      const [newest] = await db.query<{ id: number | null }>(sql`SELECT MAX(change_id) AS id FROM record_change`);
      const to = Number(newest?.id ?? 0);
      const from = Math.max(1, to - LOOK_BACK);
      const rows = await db.query<{ change_id: number }>(
        sql`SELECT change_id FROM record_change WHERE change_id >= ${from} AND change_id <= ${to}`,
      );
      position = to;
      missing.clear();
      // Older changes were pruned; no listener waits for them.
      const ids = rows.map((each) => each.change_id);
      if (ids.length > 0) miss(Math.min(...ids), position, new Set(ids));
    },
    async read(db, after) {
      const from = Math.min(position, after ?? position);
      const late = missing.size === 0 ? [] : [sql`change_id IN ${listed([...missing.keys()])}`];
      const rows = await db.query<SeenChange & { internal: unknown }>(sql`SELECT change_id, type, record_id, kind,
        company_number, internal, author_type, author_id FROM record_change
        WHERE ${joined([sql`change_id > ${from}`, ...late], ' OR ')} ORDER BY change_id LIMIT ${MOST + 1}`);
      const changes = rows.map((each) => ({ ...each, internal: Number(each.internal) === 1 }));
      if (changes.length > MOST) {
        if (from < position) return { fresh: (await this.read(db)).fresh, since: undefined };
        await this.start(db);
        return { fresh: undefined, since: undefined };
      }
      const before = position;
      const fresh = changes.filter(({ change_id }) => change_id > before || missing.has(change_id));
      for (const { change_id } of fresh) missing.delete(change_id);
      position = Math.max(before, changes.at(-1)?.change_id ?? before);
      miss(before + 1, position, new Set(changes.map((each) => each.change_id)));
      const since = after === undefined ? [] : changes.filter(({ change_id }) => change_id > after);
      return { fresh, since };
    },
  };
}
