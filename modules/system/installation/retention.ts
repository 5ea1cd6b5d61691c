import { z, type Context } from '@keelson/core';
import { changesBetween } from '@keelson/core/log';
import { ImportRetention, Retention } from '@keelson/core/system';

/** How many days the logs and the history of imports are kept. */
export const Retained = z.object({ activity_days: z.int(), error_days: z.int(), import_days: z.int() });
type Retained = z.infer<typeof Retained>;

export async function readRetention(ctx: Context): Promise<Retained> {
  const { settings } = ctx.app;
  return { ...(await settings.get(ctx, Retention)), ...(await settings.get(ctx, ImportRetention)) };
}

/** Changes the retention in days. Older entries are deleted the following night. */
export async function changeRetention(
  ctx: Context,
  { activity_days, error_days, import_days }: { readonly [K in keyof Retained]?: number | undefined },
): Promise<Retained> {
  const logs = await ctx.app.settings.change(ctx, Retention, (known) => ({
    activity_days: activity_days ?? known.activity_days,
    error_days: error_days ?? known.error_days,
  }));
  const imports = await ctx.app.settings.change(ctx, ImportRetention, (known) => ({
    import_days: import_days ?? known.import_days,
  }));
  const after = { ...logs.after, ...imports.after };
  const changes = changesBetween({ ...logs.before, ...imports.before }, after);
  if (Object.keys(changes).length === 0) return after;
  const description = 'Log retention changed';
  ctx.record({ action: 'update', entity_type: 'setting', entity_id: Retention.name, description, changes });
  return after;
}
