// The command line: `node cli.js <command>`. Every command exits with 0, or with 1 and one sentence.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@keelson/kit/message-of.ts';
import { Command as Commander } from 'commander';
import type { Config } from '../../../config/config.ts';
import { loadTenancy, oneTenant, type Tenancy, type TenantConfig } from '../../../config/tenants.ts';
import type { App } from '../../plugin/app.ts';
import type { Command, Shell } from '../../plugin/declaration/command.ts';
import { placesOf } from '../../plugin/inside.ts';
import { filesIn, pluginsFolder } from '../../plugin/load/plugin-files.ts';
import { catchPluginErrors, type PluginErrors } from '../plugin-errors.ts';
import { stayLean } from '../release-memory.ts';
import { coreCommands } from './commands.ts';
import { moduleCommands, pluginCommands } from './find-commands.ts';

/** Runs the command named by the arguments. */
export async function runCli(args: readonly string[]): Promise<void> {
  const program = new Commander('keelson').description('Service management for managed-service providers');
  program.option('--tenant <slug>', 'tenant in TENANTS_FILE (default: all, or the only one)');
  const opened: App[] = [];
  const errors = catchPluginErrors();
  endWithoutReader();
  try {
    const tenancy = loadTenancy();
    const shell = (plugin?: string) => shellFor({ tenancy, opened, errors }, program.opts()['tenant'], plugin);
    for (const each of coreCommands) add(program, each, shell);
    for (const { commands } of await moduleCommands()) for (const each of commands) add(program, each, shell);
    await addOthers(program, tenancy.config, errors, shell);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    printError(error);
    process.exitCode = 1;
  } finally {
    for (const app of opened) await app.close();
  }
}

/** Adds the commands of third-party plugins. A faulty one must not disable the others. */
async function addOthers(
  program: Commander,
  { pluginsDir }: Config,
  errors: PluginErrors,
  shell: (plugin: string) => Shell,
): Promise<void> {
  const folder = pluginsFolder(pluginsDir);
  errors.watch(placesOf([...filesIn(folder, 'commands'), ...filesIn(folder, 'plugin')]));
  const failed = (plugin: string, error: unknown) => printError(error, `commands of ${plugin} left out: `);
  for (const { plugin, commands } of await pluginCommands(pluginsDir, failed)) {
    try {
      for (const each of commands) add(program, each, () => shell(plugin));
    } catch (error) {
      failed(plugin, error);
    }
  }
}

/** The exit code of a program that SIGPIPE has ended. */
const BROKEN_PIPE = 141;

/** Ends the process when the reader of its output has gone, as in `openapi admin | head`. */
function endWithoutReader(): void {
  process.stdout.on('error', (error) => {
    if (!('code' in error) || error.code !== 'EPIPE') throw error;
    process.exit(BROKEN_PIPE);
  });
}

function printError(error: unknown, prefix = ''): void {
  process.stderr.write(`${prefix}${messageOf(error)}\n`);
}

interface Cli {
  readonly tenancy: Tenancy;
  readonly opened: App[];
  readonly errors: PluginErrors;
}

function shellFor({ tenancy: all, opened, errors }: Cli, slug: string | undefined, plugin?: string): Shell {
  const tenancy = slug === undefined ? all : { ...all, tenants: [tenantOf(all, slug)] };
  const [first, second] = tenancy.tenants;
  const config = second || !first ? tenancy.config : first.config;
  return {
    config,
    tenancy,
    async start({ config: other, ...options } = {}) {
      const { start } = await import('../main.ts');
      return start(other ? oneTenant(other) : tenancy, { ...options, errors });
    },
    print: (line) => process.stdout.write(`${line}\n`),
    async open({ config: other, ...options } = {}) {
      if (!other && second) throw new Error(`Specify the tenant: --tenant ${slugsOf(all)}`);
      refuseBesideDemo(other ?? config);
      const { openInstallation } = await import('../main.ts');
      const app = await openInstallation(other ?? config, { ...options, errors });
      opened.push(app);
      const fault = app.leftOut.find((each) => each.plugin === plugin);
      if (fault) throw new Error(`The plugin ${fault.plugin} is left out: ${fault.message}`);
      stayLean();
      return app;
    },
  };
}

/**
 * Without this check, a command meant for the demo would create an empty installation next to it and operate on that.
 */
function refuseBesideDemo({ databaseUrl, dataDir }: Config): void {
  const isMade = (folder: string) => existsSync(join(folder, 'keelson.db'));
  const demo = join(dataDir, 'demo');
  if (databaseUrl !== undefined || isMade(dataDir) || !isMade(demo)) return;
  throw new Error(
    `There is no installation in ${dataDir} yet, but there is a demo in ${demo}. For the demo, set DATA_DIR=${demo}; for a new installation, start it first: npm start.`,
  );
}

function tenantOf(all: Tenancy, slug: string): TenantConfig {
  const found = all.tenants.find(({ config }) => config.tenantSlug === slug);
  if (!found) throw new Error(`Unknown tenant ${slug}: --tenant ${slugsOf(all)}`);
  return found;
}

function slugsOf({ tenants }: Tenancy): string {
  return tenants.map(({ config }) => config.tenantSlug).join(' or ');
}

function add(program: Commander, { name, title, options, run }: Command, shell: () => Shell): void {
  const words = name.split(' ');
  const parent = words.length === 1 ? program : groupOf(program, words[0] ?? '');
  const made = parent.command(words.at(-1) ?? name).description(title);
  for (const { flags, meaning, required } of options) {
    if (required) made.requiredOption(flags, meaning);
    else made.option(flags, meaning);
  }
  made.argument('[names...]');
  made.action((names: string[], given: Record<string, string | boolean | undefined>) =>
    run(shell(), { ...given, name: names[0] ?? given['name'] }),
  );
}

function groupOf(program: Commander, word: string): Commander {
  return program.commands.find((each) => each.name() === word) ?? program.command(word);
}

// `node core/process/command/cli.ts …` works as well as `node cli.js …`, which also reports an outdated Node.
if (import.meta.main) await runCli(process.argv.slice(2));
