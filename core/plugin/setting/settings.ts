// Settings that administrators change at run time. Declared by the plugin that uses them, stored as JSON, cached.
import { cache } from '@keelson/database/cache.ts';
import { DuplicateKey, type Transaction } from '@keelson/database/db.ts';
import { json, key, table, when } from '@keelson/database/schema/table.ts';
import { memoize } from '@keelson/kit/memoize.ts';
import type { SteadyClock } from '@keelson/kit/time.ts';
import { z } from 'zod';
import type { Context } from '../context.ts';

export interface Setting<Value = any> {
  /** The plugin's id or noun, a dot and a name: `branding.colors`. */
  readonly name: string;
  readonly shape: z.ZodType<Value>;
  readonly default: Value;
}

/** Declares a setting and its default value. */
export function setting<Value>(name: string, shape: z.ZodType<Value>, fallback: NoInfer<Value>): Setting<Value> {
  return Object.freeze({ name, shape, default: fallback });
}

export const StoredSetting = table('setting', {
  name: key(120).primary(),
  value: json(z.unknown()),
  updated_at: when(),
});

/** The `db` to read with. Inside a transaction pass its own, because SQLite blocks all other connections. */
export type Reader = Pick<Context, 'db'>;

export interface Settings {
  /**
   * Returns a setting's value. All callers share the same frozen object. Changes appear at once in this process and
   * within two seconds in others.
   */
  get<Value>(ctx: Reader, setting: Setting<Value>): Promise<Value>;
  /** Stores a value in the context's transaction. */
  set<Value>(ctx: Context, setting: Setting<Value>, value: Value): Promise<void>;
  /** Stores the value that `next` returns for the current one. Reads it again, so no concurrent change is lost. */
  change<Value>(
    ctx: Context,
    setting: Setting<Value>,
    next: (known: Value) => Value,
  ): Promise<{ readonly before: Value; readonly after: Value }>;
}

type Values = ReadonlyMap<string, unknown>;

/** Creates the settings of one tenant. */
export function createSettings(clock: SteadyClock): Settings {
  const stored = cache<string, Values>({ clock }, async (db) => {
    const rows = await db.find(StoredSetting);
    return new Map(rows.map((row) => [row.name, row.value]));
  });
  /** @throws DuplicateKey if `isFirst` and there is a value already */
  const store = async <Value>(ctx: Context, { name }: Setting<Value>, value: Value, isFirst = false): Promise<void> => {
    const tx = writing(ctx, name);
    stored.changing(tx);
    const row = { name, value, updated_at: ctx.now };
    await (isFirst ? tx.insert(StoredSetting, row) : tx.upsert(StoredSetting, row, ['name']));
  };
  return {
    async get(ctx, wanted) {
      return understoodOnce(wanted, await stored.get(ctx.db, 'all'));
    },
    set: (ctx, wanted, value) => store(ctx, wanted, wanted.shape.parse(value)),
    async change(ctx, wanted, next) {
      const where = { name: wanted.name };
      const lock = { mode: 'pessimistic_write' } as const;
      const row = await writing(ctx, wanted.name).findOne(StoredSetting, { where, lock });
      const before = understood(wanted, row?.value);
      const after = wanted.shape.parse(next(before));
      if (JSON.stringify(after) === JSON.stringify(before)) return { before, after };
      try {
        await store(ctx, wanted, after, !row);
        return { before, after };
      } catch (error) {
        if (!(error instanceof DuplicateKey)) throw error;
        // Somebody else has changed it for the first time meanwhile.
        return this.change(ctx, wanted, next);
      }
    },
  };
}

// Parsed once for all requests that share the same stored values.
const understoodOf = memoize((_values: Values) => new Map<Setting, unknown>());

function understoodOnce<Value>(wanted: Setting<Value>, values: Values): Value {
  const known = understoodOf(values);
  if (!known.has(wanted)) known.set(wanted, frozen(understood(wanted, values.get(wanted.name))));
  return known.get(wanted) as Value;
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

/** Returns the parsed value, or the default if the stored value no longer fits the shape. */
function understood<Value>({ shape, default: fallback }: Setting<Value>, stored: unknown): Value {
  const { success, data } = shape.safeParse(stored);
  return success ? data : fallback;
}

function writing({ tx }: Context, name: string): Transaction {
  if (!tx) throw new Error(`Setting ${name} was changed outside a transaction`);
  return tx;
}
