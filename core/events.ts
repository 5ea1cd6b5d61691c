// `@keelson/core/events`: cron expressions for user-defined schedules.

// Cron expressions: validation and next due time.
export { cronFault, isTooOften, nextTime } from '@keelson/events/job/cron.ts';
