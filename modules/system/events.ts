import { event, z } from '@keelson/core';

/** Emitted when the time zone changes, to plan again what is scheduled in it. */
export const TimeZoneChanged = event('system.time_zone_changed', z.object({ time_zone: z.string() }));
