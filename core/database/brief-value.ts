// One value that many ask for all the time, read again every few seconds: what is registered, switched, configured.
import type { Db } from './db.ts';

export interface BriefValue<Value> {
  /**
   * The value as of less than the given seconds ago, or as `db` has it. Nobody waits for anybody else's read: on SQLite
   * that one would wait for the end of the transaction that asks.
   */
  get(db: Db): Promise<Value>;
  /** Another process learns of a change when its own value is too old. */
  forget(): void;
}

export function briefValue<Value>(read: (db: Db) => Promise<Value>, seconds = 2): BriefValue<Value> {
  let kept: { readonly at: number; readonly value: Value } | undefined;
  let changes = 0;
  return {
    async get(db) {
      if (kept && performance.now() - kept.at < seconds * 1000) return kept.value;
      const [at, before] = [performance.now(), changes];
      const value = await read(db);
      // What was read before a change is no longer true.
      if (before === changes) kept = { at, value };
      return value;
    },
    forget() {
      kept = undefined;
      changes++;
    },
  };
}
