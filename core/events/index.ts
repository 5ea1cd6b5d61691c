// `@keelson/core/events`: cron lines for schedules that people define.

// Cron lines: validation and next due time.
export { cronFault, isTooOften, nextTime } from './cron.ts';
