import { setting, z } from '@keelson/core';

/** How many devices that nobody knows a collector may add to a site on one day; the others wait for a person. */
export const NewDevicesPerDay = setting('discovery.new_devices_per_day', z.int().min(0).max(100_000), 5000);
