import { event, z } from '@keelson/core';

/** Emitted when the time zone changes, so that schedules are replanned. */
export const TimeZoneChanged = event('system.time_zone_changed', z.object({ time_zone: z.string() }));
