// `@keelson/core/events`: times that people write as cron lines.

// Cron lines: when one is due next, and what is wrong with it.
export { cronFault, isTooOften, nextTime } from './cron.ts';
