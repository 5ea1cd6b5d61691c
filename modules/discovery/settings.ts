import { setting, z } from '@keelson/core';

/** Unknown devices a collector may add to a site per day; further ones wait for a person. */
export const NewDevicesPerDay = setting('discovery.new_devices_per_day', z.int().min(0).max(100_000), 5000);
