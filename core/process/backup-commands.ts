// The commands of the installation's own backup.
import { createLogger } from '../log/log.ts';
import type { Manifest } from '../backup/manifest.ts';
import { command, type Command, type Shell } from '../plugin/command.ts';
import { loadInstallation } from '../plugin/load.ts';
import { makeBackup, newestBackup, pruneBackups } from './installation-backup.ts';
import { restoreBackup, verifyBackup } from './restore-backup.ts';

const backupCommand = command(
  'backup',
  'Makes an encrypted backup of the database and the files into BACKUP_DIR, while the server runs',
  [{ flags: '--with-master-key', meaning: 'writes the master key, encrypted, into a file beside it' }],
  async ({ open, print }, { withMasterKey }) => {
    const app = await open();
    const { path, bytes, manifest } = await makeBackup(app, { withMasterKey: withMasterKey === true });
    print(`${path}: ${bytes} bytes, ${told(manifest)}`);
    const removed = await pruneBackups(app);
    if (removed > 0) print(`${removed} old backups were deleted`);
  },
);

const verifyCommand = command(
  'backup verify',
  'Restores a backup, the newest unless one is named, into a scratch database and compares every row',
  [],
  async (shell, { name }) => {
    const installed = await installedFor(shell);
    const path = typeof name === 'string' ? name : await newestBackup(installed);
    print(shell, `${path} is good: ${told(await verifyBackup(installed, path))}`);
  },
);

const restoreCommand = command(
  'restore',
  'Restores a backup into a new folder, or an empty database; what is in use is not touched',
  [
    { flags: '--into <place>', meaning: 'an empty folder, as a new DATA_DIR, or mysql://…', required: true },
    { flags: '--files <folder>', meaning: 'where files go with mysql://…; FILES_DIR unless given' },
  ],
  async (shell, { name, into, files }) => {
    if (typeof name !== 'string') throw new Error('Name the backup: node cli.js restore <file> --into <place>');
    const installed = await installedFor(shell);
    const to = { into: String(into), files: typeof files === 'string' ? files : installed.config.filesDir };
    const manifest = await restoreBackup(installed, name, to);
    print(shell, `Restored and compared row by row: ${told(manifest)}`);
    print(shell, /^\w+:/.test(to.into) ? 'Point DATABASE_URL at it.' : `Start with DATA_DIR=${to.into}`);
  },
);

const print = (shell: Shell, line: string): void => shell.print(line);

/** Without a database: the one that is in use may be gone. */
async function installedFor({ tenancy }: Shell) {
  const [first, second] = tenancy.tenants;
  if (!first || second) throw new Error('Say for which tenant: --tenant <slug>');
  const { config } = first;
  const { loaded } = await loadInstallation(config.pluginsDir);
  return { config, log: createLogger({ level: config.logLevel }), plugins: loaded.map(({ plugin }) => plugin) };
}

function told({ tables, files, at }: Manifest): string {
  const rows = Object.values(tables).reduce((sum, each) => sum + each.rows, 0);
  return `${rows} rows of ${Object.keys(tables).length} tables and ${files.count} files of ${at}`;
}

export const backupCommands: readonly Command[] = [backupCommand, verifyCommand, restoreCommand];
