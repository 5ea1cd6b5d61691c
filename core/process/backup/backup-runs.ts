// Implements the backup commands declared in commands.ts.
import { existsSync } from 'node:fs';
import type { Manifest, Restored } from '@keelson/backup';
import { messageOf } from '@keelson/kit/message-of.ts';
import { systemClock } from '@keelson/kit/time.ts';
import { createLogger } from '@keelson/log/log.ts';
import type { BackupReport } from '../../backup/report.ts';
import { readBackupsKept } from '../../backup/schedule.ts';
import type { CommandInput, Shell } from '../../plugin/declaration/command.ts';
import { loadInstallation } from '../../plugin/load/load.ts';
import { findBackup, listBackups, pruneBackups } from './backup-places.ts';
import { makeBackup, placeOf, tellBackup, toldOf, verified } from './installation-backup.ts';
import { replaceInstallation } from './replace-installation.ts';
import { restoreBackup, verifyBackup, type Installed } from './restore-backup.ts';

export async function backUp({ open, print }: Shell, { withMasterKey, scheduled }: CommandInput): Promise<void> {
  const app = await open();
  const { path, bytes, manifest, copied, left_out } = await makeBackup(app, {
    withMasterKey: withMasterKey === true,
    scheduled: scheduled === true,
  });
  print(`${path}: ${bytes} bytes, ${told(manifest)}`);
  if (left_out.length > 0)
    print(
      `Skipped tables with binary data whose plugin is not installed: ${left_out.join(', ')}. Install the plugin and make another backup.`,
    );
  if (copied) print(`A copy is in ${app.config.backupS3Url}`);
  const removed = await pruneBackups(app.config, await readBackupsKept(app.system()));
  if (removed > 0) print(`${removed} old backups were deleted`);
}

export async function printBackups(shell: Shell): Promise<void> {
  const { config } = await installedFor(shell);
  for (const { name, bytes, where } of await listBackups(config)) shell.print(`${name}  ${bytes} bytes  ${where}`);
}

export async function verifyOne(shell: Shell, { name }: CommandInput): Promise<void> {
  const installed = await installedFor(shell);
  const path = await findBackup(installed.config, typeof name === 'string' ? name : undefined);
  const begun = performance.now();
  try {
    const manifest = await verifyBackup(installed, path);
    const { rows, tables, files, made_at, name: called } = toldOf({ path, manifest, bytes: 0 });
    const good = verified(systemClock.now(), begun);
    await note(installed, shell, { name: called, made_at, rows, tables, files, ...good });
    shell.print(`${path} is valid: ${told(manifest)}`);
  } catch (error) {
    await note(installed, shell, { error: messageOf(error) });
    throw error;
  }
}

export async function restore(shell: Shell, { name, into, files, replace, of }: CommandInput): Promise<void> {
  if (typeof name !== 'string' || (typeof into === 'string') === (replace === true))
    throw new Error('Specify the backup and the target: node cli.js restore <file> --into <place>, or --replace');
  const installed = await installedFor(shell);
  const path = await findBackup(installed.config, name);
  const whose = typeof of === 'string' ? of : undefined;
  if (typeof into !== 'string') return replaceWith(shell, installed, path, whose);
  const to = { into, files: typeof files === 'string' ? files : installed.config.filesDir, of: whose };
  const restored = await restoreBackup(installed, path, to);
  shell.print(`Restored and compared row by row: ${told(restored)}`);
  for (const line of ofAbsentPlugins(restored)) shell.print(line);
  shell.print(
    /^\w+:/.test(into)
      ? 'Set DATABASE_URL to it and MASTER_KEY_FILE to the master key of the backup.'
      : `Start with DATA_DIR=${into} and without DATABASE_URL.`,
  );
}

/** Reports tables whose plugin is not installed. */
function ofAbsentPlugins({ stray_tables, elsewhere }: Restored): string[] {
  const kept = stray_tables.filter((each) => !elsewhere.includes(each));
  return [
    ...(kept.length > 0 ? [`Includes tables of plugins that are not installed here: ${kept.join(', ')}`] : []),
    ...(elsewhere.length > 0
      ? [
          `Not restored, because the backup is from a different kind of database and the plugin is not installed: ${elsewhere.join(', ')}`,
        ]
      : []),
  ];
}

async function replaceWith(
  { print }: Shell,
  installed: Installed,
  path: string,
  of: string | undefined,
): Promise<void> {
  const { manifest, kept } = await replaceInstallation(installed, path, of);
  print(`Restored, compared row by row, and put in place: ${told(manifest)}`);
  for (const line of ofAbsentPlugins(manifest)) print(line);
  print(kept === undefined ? 'There was no previous installation.' : `The previous installation is kept in ${kept}`);
}

/** Reports the result to monitoring. The database may be down, and a machine that only verifies backups has none. */
async function note({ config }: Installed, { open, print }: Shell, report: Partial<BackupReport>): Promise<void> {
  const place = placeOf(config);
  if (!existsSync(config.masterKeyFile) || ('file' in place && !existsSync(place.file))) return;
  try {
    await tellBackup((await open({ migrate: 'never' })).system(), report);
  } catch (error) {
    print(`Monitoring could not be notified: ${messageOf(error)}`);
  }
}

/** Loads the installation without a database: the one in use may be lost. */
async function installedFor({ tenancy }: Shell): Promise<Installed> {
  const [first, second] = tenancy.tenants;
  if (!first || second) throw new Error('Specify the tenant: --tenant <slug>');
  const { config } = first;
  const { loaded } = await loadInstallation(config.pluginsDir);
  return { config, log: createLogger({ level: config.logLevel }), plugins: loaded.map(({ plugin }) => plugin) };
}

function told({ tables, files, at }: Manifest): string {
  const rows = Object.values(tables).reduce((sum, each) => sum + each.rows, 0);
  return `${rows} rows in ${Object.keys(tables).length} tables and ${files.count} files, taken at ${at}`;
}
