// `@keelson/core/backup`: how the backups of the installation are.

// Backups: what became of the last one.
export { BackupReportShape, readBackupReport } from './report.ts';
