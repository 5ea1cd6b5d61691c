// The commands that do not depend on a module. Each loads what it needs when it runs.
import { command, type Command } from '../plugin/command.ts';

export const coreCommands: readonly Command[] = [
  command(
    'start',
    'Starts the server, as npm start does',
    [{ flags: '--only <part>', meaning: 'web: only requests; jobs: only jobs and deliveries' }],
    async (shell, input) => {
      const { startServer } = await import('./command-runs.ts');
      await startServer(shell, input);
    },
  ),
  command(
    'new-master-key',
    'Goes on with another master key when that of the database is lost: its secrets and API keys are worthless then',
    [],
    async (shell) => {
      const { acceptMasterKey } = await import('./command-runs.ts');
      await acceptMasterKey(shell);
    },
  ),
  command('check', 'Checks every module and plugin without a database', [], async (shell) => {
    const { checkPlugins } = await import('./command-runs.ts');
    await checkPlugins(shell);
  }),
  command('migrate', 'Brings the database up to date; make a backup first', [], async (shell) => {
    const { migrate } = await import('./command-runs.ts');
    await migrate(shell);
  }),
  command('openapi', 'Prints the OpenAPI document of a surface: helpdesk, admin or crm', [], async (shell, input) => {
    const { printOpenapi } = await import('./command-runs.ts');
    await printOpenapi(shell, input);
  }),
  command(
    'check-log',
    'Checks that no line of the activity log was changed, removed or added after it was written',
    [
      {
        flags: '--expect <hash>',
        meaning: 'a hash that check-log or the log told before; it must still be in the chain',
      },
    ],
    async (shell, input) => {
      const { checkActivityLog } = await import('./command-runs.ts');
      await checkActivityLog(shell, input);
    },
  ),
  command(
    'reindex',
    'Rebuilds the search index while searches go on; after rows were loaded past the product',
    [],
    async (shell) => {
      const { reindex } = await import('./command-runs.ts');
      await reindex(shell);
    },
  ),
  command(
    'new-plugin',
    'Makes a new plugin folder with a route, a table and a passing test',
    [],
    async ({ config, print }, { name }) => {
      if (typeof name !== 'string') throw new Error('Name the plugin: node cli.js new-plugin warranty');
      const { newPlugin } = await import('../plugin/new-plugin.ts');
      const { systemClock } = await import('../kit/time.ts');
      for (const path of await newPlugin(config.pluginsDir, name, systemClock.now())) print(path);
    },
  ),
  command(
    'web',
    'Builds the console and the portal beside the installation, for systems that cannot write there later',
    [],
    async (shell) => {
      const { buildPages } = await import('./build-pages.ts');
      await buildPages(shell);
    },
  ),
  command(
    'backup',
    'Makes an encrypted backup of the database and the files into BACKUP_DIR, while the server runs',
    [
      { flags: '--with-master-key', meaning: 'writes the master key, encrypted, into a file beside it' },
      {
        flags: '--scheduled',
        meaning: 'a timer makes it: BACKUP_KEEP says how long it is kept; others are kept until you delete them',
      },
    ],
    async (shell, input) => {
      const { backUp } = await import('./backup-runs.ts');
      await backUp(shell, input);
    },
  ),
  command('backup list', 'Lists the backups in BACKUP_DIR and in BACKUP_S3_URL', [], async (shell) => {
    const { printBackups } = await import('./backup-runs.ts');
    await printBackups(shell);
  }),
  command(
    'backup verify',
    'Restores a backup, the newest unless one is named, into a scratch database and compares every row',
    [],
    async (shell, input) => {
      const { verifyOne } = await import('./backup-runs.ts');
      await verifyOne(shell, input);
    },
  ),
  command(
    'restore',
    'Restores a backup into a new folder or an empty database, or over the stopped installation',
    [
      { flags: '--into <place>', meaning: 'an empty folder, as a new DATA_DIR, or mysql://…' },
      { flags: '--files <folder>', meaning: 'where files go with mysql://…; FILES_DIR unless given' },
      { flags: '--replace', meaning: 'over the installation, whose state is kept as a backup first' },
      { flags: '--of <slug>', meaning: 'the service provider that it is of, when that is not this one’s' },
    ],
    async (shell, input) => {
      const { restore } = await import('./backup-runs.ts');
      await restore(shell, input);
    },
  ),
];
