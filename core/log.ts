// `@keelson/core/log`: writing the activity log explicitly. Changes to records are logged automatically.

// Activity log: who changed what.
export { changesBetween, theSystem, type Activity, type Author } from '@keelson/log/activity.ts';
