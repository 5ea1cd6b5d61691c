// `@keelson/core/log`: writing the activity log oneself. What happens to records is written by itself.

// Activity log: who did something, and what changed.
export { changesBetween, theSystem, type Activity, type Author } from './activity.ts';
