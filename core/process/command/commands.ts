// The commands that do not depend on a module. Each loads what it needs when it runs.
import { command, type Command } from '../../plugin/declaration/command.ts';

export const coreCommands: readonly Command[] = [
  command(
    'start',
    'Starts the server, like npm start',
    [{ flags: '--only <part>', meaning: 'web: requests only; jobs: jobs and deliveries only' }],
    async (shell, input) => {
      const { startServer } = await import('./command-runs.ts');
      await startServer(shell, input);
    },
  ),
  command(
    'new-master-key',
    'Adopts a new master key when the old one is lost; stored secrets and API keys become unusable',
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
  command('migrate', 'Migrates the database to this version; make a backup first', [], async (shell) => {
    const { migrate } = await import('./command-runs.ts');
    await migrate(shell);
  }),
  command(
    'upgrade',
    'Migrates a copy of the stopped database, and puts it in place if everything succeeded',
    [
      { flags: '--check', meaning: 'only tries it on a copy, which is deleted; the server may be running' },
      { flags: '--no-backup', meaning: 'upgrades without a backup of the last 24 hours' },
    ],
    async (shell, input) => {
      const { upgrade } = await import('./upgrade.ts');
      await upgrade(shell, input);
    },
  ),
  command('openapi', 'Prints the OpenAPI document of a surface: helpdesk, admin or crm', [], async (shell, input) => {
    const { printOpenapi } = await import('./command-runs.ts');
    await printOpenapi(shell, input);
  }),
  command(
    'check-log',
    'Verifies that no line of the activity log was changed, removed or added later',
    [
      {
        flags: '--expect <hash>',
        meaning: 'a hash printed earlier by check-log or the log; it must still be in the chain',
      },
    ],
    async (shell, input) => {
      const { checkActivityLog } = await import('./command-runs.ts');
      await checkActivityLog(shell, input);
    },
  ),
  command('redeliver', 'Delivers permanently failed events again, once their cause is mended', [], async (shell) => {
    const { redeliver } = await import('./command-runs.ts');
    await redeliver(shell);
  }),
  command(
    'reindex',
    'Rebuilds the search index without downtime, for example after loading rows directly into the database',
    [],
    async (shell) => {
      const { reindex } = await import('./command-runs.ts');
      await reindex(shell);
    },
  ),
  command(
    'new-plugin',
    'Creates a new plugin folder with a route, a table and a passing test',
    [],
    async ({ config, print }, { name }) => {
      if (typeof name !== 'string') throw new Error('Specify the plugin name: node cli.js new-plugin warranty');
      const { newPlugin } = await import('./new-plugin.ts');
      const { systemClock } = await import('@keelson/kit/time.ts');
      for (const path of await newPlugin(config.pluginsDir, name, systemClock.now())) print(path);
    },
  ),
  command(
    'mcp',
    'Lets an AI assistant search and read with the rights of a key, and change what its user confirms (MCP)',
    [
      {
        flags: '--key-file <file>',
        meaning: 'a file with an API key: serves one assistant on standard input and output',
      },
      {
        flags: '--listen <port>',
        meaning: 'serves over HTTP at /mcp on HOST and this port; each request brings its key',
      },
      { flags: '--url <address>', meaning: 'address of the installation (default: BASE_URL)' },
    ],
    async (shell, input) => {
      const { serveMcp } = await import('./mcp.ts');
      await serveMcp(shell, input);
    },
  ),
  command('web', 'Builds the console and the portal in advance, for read-only installations', [], async (shell) => {
    const { buildPages } = await import('./build-pages.ts');
    await buildPages(shell);
  }),
  command(
    'backup',
    'Backs up the database and files, encrypted, to BACKUP_DIR while the server runs',
    [
      { flags: '--with-master-key', meaning: 'also writes the encrypted master key to a file next to it' },
      {
        flags: '--scheduled',
        meaning:
          'marks a scheduled backup, which expires according to BACKUP_KEEP; others are kept until you delete them',
      },
    ],
    async (shell, input) => {
      const { backUp } = await import('../backup/backup-runs.ts');
      await backUp(shell, input);
    },
  ),
  command('backup list', 'Lists the backups in BACKUP_DIR and BACKUP_S3_URL', [], async (shell) => {
    const { printBackups } = await import('../backup/backup-runs.ts');
    await printBackups(shell);
  }),
  command(
    'backup verify',
    'Restores a backup (default: the latest) into a scratch database and compares every row',
    [],
    async (shell, input) => {
      const { verifyOne } = await import('../backup/backup-runs.ts');
      await verifyOne(shell, input);
    },
  ),
  command(
    'restore',
    'Restores a backup to a new folder or an empty database, or over the stopped installation',
    [
      { flags: '--into <place>', meaning: 'an empty folder, as a new DATA_DIR, or mysql://…' },
      { flags: '--files <folder>', meaning: 'where to put files with mysql://… (default: FILES_DIR)' },
      { flags: '--replace', meaning: 'overwrite this installation, after backing it up' },
      { flags: '--of <slug>', meaning: 'service provider of the backup, if different from this one' },
    ],
    async (shell, input) => {
      const { restore } = await import('../backup/backup-runs.ts');
      await restore(shell, input);
    },
  ),
];
