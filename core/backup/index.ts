// `@keelson/core/backup`: the state of the installation's backups.

// Backups: the result of the last one.
export { BackupReportShape, readBackupReport } from './report.ts';
