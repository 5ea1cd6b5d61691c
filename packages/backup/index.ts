// `@keelson/backup`: encrypted backups of a database and its files, verified row by row, on SQLite and MySQL.

// Backups: writing, reading and naming them.
export { BadBackup, backupKey, seal, unseal } from './format/container.ts';
export { backupName, madeAt, outdated } from './kept-backups.ts';
export { readBackup, type Manifest, type Reader } from './format/manifest.ts';
export { backupStore, type BackupStore, type StoredBackup } from './store.ts';
export { writeBackup } from './write-backup.ts';

// Database contents: tables, numbers that are never reused, rows of its place, and tables without a plugin.
export { putRow, rowNamed, type NamedRow } from './database/kept-row.ts';
export { higher, numbersOf, raiseNumbers, type Numbers } from './database/used-numbers.ts';
export { tablesIn, type Columns, type Place } from './database/snapshot.ts';
export { appliedBesides, strayTables, type StrayTable } from './database/stray-tables.ts';

// Copying a database unchanged.
export { copyDatabase, scratchCopy } from './database/copy-database.ts';

// Restoring: into an empty database, or in place of the one in use.
export { attachedFiles } from './attached-files.ts';
export { holdDatabase } from './database/live-database.ts';
export { restoreInto, UNFINISHED, type Restored, type Target } from './restore.ts';
export { filesInto } from './restored-files.ts';
