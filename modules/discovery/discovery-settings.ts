// Discovery settings for administrators.
import { changeSetting, z, type Context } from '@keelson/core';
import { NewDevicesPerDay } from './settings.ts';

export const DiscoverySettings = z.object({ new_devices_per_day: z.int() });
type Values = z.infer<typeof DiscoverySettings>;

/** Changes the daily limit, effective with the next sync. */
export async function changeDiscoverySettings(ctx: Context, { new_devices_per_day }: Values): Promise<Values> {
  await changeSetting(ctx, NewDevicesPerDay, {
    next: () => new_devices_per_day,
    description: 'Daily limit of new devices per collector changed',
    field: 'new_devices_per_day',
  });
  return { new_devices_per_day };
}
