// `@keelson/core/backup`: the state of the installation's backups.

// Backups: the schedule, and the result of the last one.
export { nextBackup } from './schedule.ts';
export { BackupReportShape, readBackupReport } from './report.ts';
