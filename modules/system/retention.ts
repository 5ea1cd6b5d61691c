import type { Context } from '@keelson/core';
import { changesBetween } from '@keelson/core/log';
import { Retention } from '@keelson/core/system';

/** Changes log retention in days. Older entries are deleted the following night. */
export async function changeRetention(
  ctx: Context,
  { activity_days, error_days }: { activity_days?: number | undefined; error_days?: number | undefined },
) {
  const { before, after } = await ctx.app.settings.change(ctx, Retention, (known) => ({
    activity_days: activity_days ?? known.activity_days,
    error_days: error_days ?? known.error_days,
  }));
  const changes = changesBetween(before, after);
  if (Object.keys(changes).length === 0) return after;
  const description = 'Retention of the logs changed';
  ctx.record({ action: 'update', entity_type: 'setting', entity_id: Retention.name, description, changes });
  return after;
}
