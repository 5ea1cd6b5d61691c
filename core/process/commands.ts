// The commands that do not depend on a module.
import { countSearchable } from '../search/reindex.ts';
import type { App } from '../plugin/app.ts';
import { command, type Command } from '../plugin/command.ts';
import { backupCommands } from './backup-commands.ts';
import { checkLog } from '../log/check-log.ts';
import { sealSecret } from './retention.ts';
import { describeSurface } from '../http/openapi.ts';
import { loadInstallation, sentences } from '../plugin/load.ts';
import { onSignals } from '../http/server.ts';
import { newPlugin } from '../plugin/new-plugin.ts';
import { surfaces } from '../http/routes.ts';
import { schemaDrift } from '../database/migrate.ts';
import { systemClock } from '../kit/time.ts';
import { pageFaults, webCommand } from './web-command.ts';

const startCommand = command(
  'start',
  'Starts the server, as npm start does',
  [{ flags: '--only <part>', meaning: 'web: only requests; jobs: only jobs and deliveries' }],
  async ({ tenancy, start, print }, { only }) => {
    if (only !== undefined && only !== 'web' && only !== 'jobs') throw new Error('--only must be web or jobs');
    const running = await start(only ? { only } : {});
    onSignals(running.close);
    for (const { config } of tenancy.tenants) print(`Keelson listens at ${config.baseUrl}`);
  },
);

const newMasterKeyCommand = command(
  'new-master-key',
  'Goes on with another master key when that of the database is lost: its secrets and API keys are worthless then',
  [],
  async ({ open, print }) => {
    const { config } = await open({ acceptKey: true });
    print(
      `${config.masterKeyFile} is the master key of this database now. Make new API keys, and enter stored secrets again.`,
    );
  },
);

const checkCommand = command(
  'check',
  'Checks every module and plugin without a database',
  [],
  async ({ config, print }) => {
    const { loaded, leftOut } = await loadInstallation(config.pluginsDir, { trial: {}, thorough: true });
    const routes = loaded.flatMap(({ plugin }) => plugin.routes ?? []);
    const faults = [...leftOut, ...(await pageFaults(loaded))];
    if (faults.length > 0) throw new Error(sentences(faults));
    print(`${loaded.length} plugins with ${routes.length} routes: no faults`);
  },
);

const migrateCommand = command(
  'migrate',
  'Brings the database up to date; make a backup first',
  [],
  async ({ tenancy, open, print }) => {
    const failures: string[] = [];
    for (const { config } of tenancy.tenants) {
      const whose = tenancy.tenants.length > 1 ? `${config.tenantSlug}: ` : '';
      // A tenant that cannot be reached must not stop the others from migrating.
      await open({ config, migrate: 'always' })
        .then(refuseDrift)
        .then(
          (app) => {
            print(`${whose}The database is up to date`);
            if (app.leftOut.length > 0) print(`${whose}Left out:\n${sentences(app.leftOut)}`);
          },
          (error: unknown) => failures.push(whose + (error instanceof Error ? error.message : String(error))),
        );
    }
    if (failures.length > 0) throw new Error(failures.join('\n'));
  },
);

async function refuseDrift(app: App): Promise<App> {
  // The tables of a left-out plugin may be half created.
  const leftOut = app.leftOut.map(({ plugin }) => `${plugin}_`);
  const tableOf = (statement: string) => /\b(?:TABLE|INTO|ON) [`"](?:temporary_)?(\w+)[`"]/i.exec(statement)?.[1] ?? '';
  const drift = (await schemaDrift(app.database)).filter(
    (each) => !leftOut.some((prefix) => tableOf(each).startsWith(prefix)),
  );
  if (drift.length > 0) throw new Error(`The database differs from the declared tables:\n${drift.join('\n')}`);
  return app;
}

const openapiCommand = command(
  'openapi',
  'Prints the OpenAPI document of a surface: helpdesk, admin or crm',
  [],
  async ({ open, print }, { name = 'admin' }) => {
    const surface = surfaces.find((each) => each.id === name && each.prefix !== '');
    if (!surface) throw new Error('The surface must be one of: helpdesk, admin, crm');
    print(JSON.stringify(describeSurface(await open(), surface), undefined, 2));
  },
);

const checkLogCommand = command(
  'check-log',
  'Checks that no line of the activity log was changed, removed or added after it was written',
  [
    {
      flags: '--expect <hash>',
      meaning: 'a hash that check-log or the log told before; it must still be in the chain',
    },
  ],
  async ({ open, print }, { expect }) => {
    const app = await open();
    const report = await checkLog(app.database, sealSecret(app), typeof expect === 'string' ? expect : undefined);
    if (report.faults.length > 0) throw new Error(`The activity log is not as it was:\n${report.faults.join('\n')}`);
    print(
      `The activity log is intact: ${report.lines} lines in ${report.blocks} blocks, ${report.unsealed} not yet sealed`,
    );
    if (report.head) print(`Newest block: ${report.head}`);
  },
);

const reindexCommand = command(
  'reindex',
  'Rebuilds the search index while searches go on; after rows were loaded past the product',
  [],
  async ({ open, print }) => {
    const app = await open();
    const all = await countSearchable(app);
    const { Bar, Presets } = await import('cli-progress');
    const bar = new Bar({ noTTYOutput: true, format: '{bar} {value} of {total} records, {eta} s left' }, Presets.rect);
    const since = performance.now();
    bar.start(all, 0);
    try {
      await app.indexer.rebuild((n) => bar.increment(n));
    } finally {
      // Its timer would keep the process alive.
      bar.stop();
    }
    const perSecond = Math.round((all / Math.max(1, performance.now() - since)) * 1000);
    print(`${all} records are searched: ${perSecond} a second`);
  },
);

const newPluginCommand = command(
  'new-plugin',
  'Makes a new plugin folder with a route, a table and a passing test',
  [],
  async ({ config, print }, { name }) => {
    if (typeof name !== 'string') throw new Error('Name the plugin: node cli.js new-plugin warranty');
    for (const path of await newPlugin(config.pluginsDir, name, systemClock.now())) print(path);
  },
);

export const coreCommands: readonly Command[] = [
  startCommand,
  newMasterKeyCommand,
  checkCommand,
  migrateCommand,
  openapiCommand,
  checkLogCommand,
  reindexCommand,
  newPluginCommand,
  webCommand,
  ...backupCommands,
];
