import { join } from 'node:path';
import test from 'ava';
import { newPlugin } from '../../core/process/command/new-plugin.ts';
import { systemClock } from '../../packages/kit/time.ts';
import { copyInstallation } from './_installation.ts';

test('a generated plugin passes its own test, the checks and its migration unchanged', async (t) => {
  const { cli, ava } = copyInstallation(t);
  const made = (await cli('new-plugin', 'bell')).trim().split('\n');
  t.deepEqual(made, [
    'plugins/bell/plugin.ts',
    'plugins/bell/permissions.ts',
    'plugins/bell/console/pages.ts',
    'plugins/bell/test/bell.test.ts',
  ]);
  t.regex(await cli('check'), /no problems found/);
  t.regex(await cli('migrate'), /The database is up to date/);
  t.regex(await ava('plugins/bell/test/bell.test.ts'), /2 tests passed/);
});

test('a plugin is not generated twice, nor under an invalid id', async (t) => {
  const { folder } = copyInstallation(t);
  const plugins = join(folder, 'plugins');
  await newPlugin(plugins, 'bell', systemClock.now());
  await t.throwsAsync(newPlugin(plugins, 'bell', systemClock.now()), { message: /already exists$/ });
  for (const id of ['Bell', '9bell', 'bell-tower', '../bell', '']) {
    await t.throwsAsync(newPlugin(plugins, id, systemClock.now()), {
      message: /must be lower-case letters and digits/,
    });
  }
});
