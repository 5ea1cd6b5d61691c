import { changesBetween } from '@keelson/log/activity.ts';
import type { Context } from '../context.ts';
import type { Setting } from './settings.ts';

export interface SettingChange<Value> {
  /** Returns the new value for the current one. */
  readonly next: (known: Value) => Value;
  /** A sentence for the activity log, such as `Time rounding changed`. */
  readonly description: string | ((after: Value) => string);
  /** Names a value that is not an object in the log; `value` by default. */
  readonly field?: string;
  /** Fields whose values the log does not contain. */
  readonly secretFields?: readonly string[];
}

/** Changes a setting, and records the change in the activity log unless nothing changed. Returns the new value. */
export async function changeSetting<Value>(
  ctx: Context,
  setting: Setting<Value>,
  { next, description, field, secretFields }: SettingChange<Value>,
): Promise<Value> {
  const { before, after } = await ctx.app.settings.change(ctx, setting, next);
  const fields = (value: Value) =>
    (field === undefined && isObject(value) ? value : { [field ?? 'value']: value }) as Readonly<
      Record<string, unknown>
    >;
  const changes = changesBetween(fields(before), fields(after), secretFields);
  if (Object.keys(changes).length > 0)
    ctx.record({
      action: 'update',
      entity_type: 'setting',
      entity_id: setting.name,
      description: typeof description === 'string' ? description : description(after),
      changes,
    });
  return after;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
