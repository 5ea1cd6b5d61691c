// What an administrator configures at run time: declared by the plugin that uses it, stored as JSON, read from a cache.
import { z } from 'zod';
import type { Context } from './context.ts';
import type { Db, Transaction } from './database/db.ts';
import { json, key, table, when } from './database/table.ts';

export interface Setting<Value = any> {
  /** `branding.colors`: the plugin's id or noun, a dot, what it is. */
  readonly name: string;
  readonly shape: z.ZodType<Value>;
  readonly default: Value;
}

/** Declares a setting and the value it has until somebody changes it. */
export function setting<Value>(name: string, shape: z.ZodType<Value>, fallback: NoInfer<Value>): Setting<Value> {
  return Object.freeze({ name, shape, default: fallback });
}

export const StoredSetting = table('setting', {
  name: key(120).primary(),
  value: json(z.unknown()),
  updated_at: when(),
});

/** Who reads: inside a transaction the read joins it, because SQLite lets nobody else in meanwhile. */
export type Reader = Pick<Context, 'db' | 'tx'>;

export interface Settings {
  /** A setting's value. A change counts at once in this process, in others within two seconds. */
  get<Value>(ctx: Reader, setting: Setting<Value>): Promise<Value>;
  /** Stores a value with the context's transaction. */
  set<Value>(ctx: Context, setting: Setting<Value>, value: Value): Promise<void>;
}

const FRESH_MS = 2000;

type Values = ReadonlyMap<string, unknown>;

/** Settings of one tenant. `monotonic` answers milliseconds. */
export function createSettings(monotonic: () => number): Settings {
  let cached: { readonly at: number; readonly values: Promise<Values>; known?: Values } | undefined;
  let changes = 0;
  const changing = new WeakSet<Transaction>();
  const read = async (db: Db): Promise<Values> =>
    new Map((await db.find(StoredSetting)).map((row) => [row.name, row.value]));
  const fresh = () => (cached && monotonic() - cached.at < FRESH_MS ? cached : undefined);
  const values = (db: Db): Promise<Values> => {
    const kept = fresh();
    if (kept) return kept.values;
    const entry: NonNullable<typeof cached> = { at: monotonic(), values: read(db) };
    cached = entry;
    entry.values.then(
      (found) => (entry.known = found),
      () => {
        if (cached === entry) cached = undefined;
      },
    );
    return entry.values;
  };
  // A transaction waits for nobody else's read: on SQLite that one would wait for the transaction's end. What it reads
  // is committed, and so good for others, unless it changed a setting itself.
  const valuesInside = async (tx: Transaction): Promise<Values> => {
    const known = changing.has(tx) ? undefined : fresh()?.known;
    if (known) return known;
    const [at, before] = [monotonic(), changes];
    const found = await read(tx);
    if (!changing.has(tx) && before === changes) cached = { at, values: Promise.resolve(found), known: found };
    return found;
  };
  return {
    async get(ctx, wanted) {
      const stored = wanted.shape.safeParse((await (ctx.tx ? valuesInside(ctx.tx) : values(ctx.db))).get(wanted.name));
      return stored.success ? stored.data : wanted.default;
    },
    async set(ctx, wanted, value) {
      if (!ctx.tx) throw new Error(`Setting ${wanted.name} was changed outside a transaction`);
      const row = { name: wanted.name, value: wanted.shape.parse(value), updated_at: ctx.now };
      changing.add(ctx.tx);
      await ctx.tx.upsert(StoredSetting, row, ['name']);
      // A read that began before the commit is dropped with the entry it was to fill.
      ctx.afterCommit(() => {
        cached = undefined;
        changes++;
      });
    },
  };
}
