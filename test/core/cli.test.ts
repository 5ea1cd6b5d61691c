// The command line finds commands without loading modules and plugins.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { definePlugin } from '@keelson/core';
import { command } from '@keelson/core/command';
import test from 'ava';
import { faultsOf } from '../../core/plugin/load/check.ts';
import { loadInstallation } from '../../core/plugin/load/load.ts';
import { coreCommands } from '../../core/process/command/commands.ts';
import { moduleCommands } from '../../core/process/command/find-commands.ts';
import { makeFolder } from '../_folder.ts';
import { noPlugins, sharePages } from '../_tenants.ts';
import { copyInstallation } from './_installation.ts';

const run = promisify(execFile);

test('the command line finds exactly the commands the modules declare', async (t) => {
  const found = (await moduleCommands()).flatMap(({ commands }) => commands);
  const { loaded } = await loadInstallation('plugins');
  const declared = loaded.filter(({ source }) => source === 'module').flatMap(({ plugin }) => plugin.commands ?? []);
  const names = (of: typeof found) => of.map(({ name }) => name).toSorted();
  t.deepEqual(names(found), names(declared));
  t.true(found.length > 3);
});

test('help lists every command without loading plugins; a faulty file disables no other command', async (t) => {
  const { folder, env, cli } = copyInstallation(t);
  const write = (plugin: string, file: string, code: string) => {
    mkdirSync(join(folder, 'plugins', plugin), { recursive: true });
    writeFileSync(join(folder, 'plugins', plugin, file), code);
  };
  write('shelf', 'plugin.ts', "throw new Error('loaded');");
  write(
    'shelf',
    'commands.ts',
    `import { command } from '@keelson/core/command';
    export default [
      command('shelf count', 'Counts shelves', [{ flags: '--of <site>', meaning: 'a site' }], async ({ open }) => {
        await open();
      }),
    ];`,
  );
  const help = await cli('--help');
  const words = [...coreCommands, ...(await moduleCommands()).flatMap(({ commands }) => commands)].map(
    ({ name }) => name.split(' ')[0] ?? '',
  );
  for (const each of [...words, 'shelf']) t.regex(help, new RegExp(`^ +${each}\\b`, 'm'));
  t.regex(await cli('shelf', 'count', '--help'), /--of <site>/);
  const { stderr } = await t.throwsAsync<Error & { stderr: string }>(cli('shelf', 'count'));
  t.regex(stderr, /The plugin shelf is left out: .*plugin\.ts: .*loaded/);
  write('shelf', 'commands.ts', 'export default 7;');
  write('taken', 'commands.js', "export default [{ name: 'start', title: '', options: [], run() {} }];");
  const { stdout, stderr: faults } = await run(process.execPath, ['cli.js', '--help'], { cwd: folder, env });
  t.regex(stdout, /^ +staff$/m);
  t.regex(faults, /^commands of shelf left out: .*the default export of .*commands\.ts must be a list of commands$/m);
  t.regex(faults, /^commands of taken left out: .*start/m);
});

test('a plugin whose commands are not in commands.ts gets an error', (t) => {
  const count = command('shelf count', 'Counts shelves', [], async () => {});
  const plugin = definePlugin({ id: 'shelf', title: 'Shelves', version: '1.0.0', commands: [count] });
  const file = join(process.cwd(), 'plugins/shelf/plugin.ts');
  t.deepEqual(faultsOf([{ plugin, source: 'plugin', file }]), [
    { plugin: 'shelf', message: `the command shelf count must be in a commands.ts beside ${file}` },
  ]);
});

test('a command ends when the reader of its output has gone', async (t) => {
  const DATA_DIR = makeFolder(t);
  const env = { ...process.env, DATA_DIR, PLUGINS_DIR: noPlugins(DATA_DIR), DATABASE_URL: '' };
  const command = spawn(process.execPath, ['cli.js', 'openapi', 'helpdesk'], { env });
  const ended = once(command, 'exit');
  command.stdout.once('data', () => command.stdout.destroy());
  t.deepEqual(await ended, [141, null]);
});

test('start prints the set-up link of a new installation', async (t) => {
  const DATA_DIR = makeFolder(t);
  sharePages(DATA_DIR);
  const env = { ...process.env, DATA_DIR, PLUGINS_DIR: noPlugins(DATA_DIR), PORT: '0', DATABASE_URL: '' };
  const command = spawn(process.execPath, ['cli.js', 'start', '--only', 'web'], { env });
  t.teardown(() => command.kill('SIGKILL'));
  let printed = '';
  for await (const piece of command.stdout) {
    printed += String(piece);
    if (printed.includes('is listening on')) break;
  }
  t.regex(printed, /^No administrator exists yet: open \S+\/admin\/setup\?token=\S+$/m);
});
