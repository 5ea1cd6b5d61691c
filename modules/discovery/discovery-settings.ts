// Discovery settings for administrators.
import { z, type Context } from '@keelson/core';
import { changesBetween } from '@keelson/core/log';
import { NewDevicesPerDay } from './settings.ts';

export const DiscoverySettings = z.object({ new_devices_per_day: z.int() });
type Values = z.infer<typeof DiscoverySettings>;

/** Changes the daily limit, effective with the next sync. */
export async function changeDiscoverySettings(ctx: Context, { new_devices_per_day }: Values): Promise<Values> {
  const { before, after } = await ctx.app.settings.change(ctx, NewDevicesPerDay, () => new_devices_per_day);
  const changes = changesBetween({ new_devices_per_day: before }, { new_devices_per_day: after });
  if (Object.keys(changes).length > 0)
    ctx.record({
      action: 'update',
      entity_type: 'setting',
      entity_id: NewDevicesPerDay.name,
      description: 'Daily limit of new devices per collector changed',
      changes,
    });
  return { new_devices_per_day: after };
}
