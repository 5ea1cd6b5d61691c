export { createDrill, type NewDrill } from './drills.ts';
export { BackupRecord, BackupState, RestoreDrill, RestoreRequest } from './entities.ts';
export { BackupStatusChanged } from './events.ts';
export { reportBackups } from './records/report-backups.ts';
export { requestRestore, type NewRequest } from './restore-requests.ts';
export { watchBackups } from './states/states.ts';
