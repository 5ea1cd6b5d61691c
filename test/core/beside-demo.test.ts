// A command run next to a demo never silently uses another installation.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { makeFolder } from '../_folder.ts';
import { noPlugins } from '../_tenants.ts';

const run = promisify(execFile);

test('a command next to a demo points to it and creates no installation; with DATA_DIR it works on the demo', async (t) => {
  const folder = makeFolder(t);
  const demo = join(folder, 'demo');
  mkdirSync(demo);
  writeFileSync(join(demo, 'keelson.db'), '');
  const PLUGINS_DIR = noPlugins(folder);
  const staff = (DATA_DIR: string) =>
    run(process.execPath, [resolve('cli.js'), 'staff', 'add', 'Ada', '--email', 'ada@example.com'], {
      env: { PATH: process.env['PATH'], DATA_DIR, PLUGINS_DIR, PASSWORD_COST: '10', LOG_LEVEL: 'error' },
    });
  const { stderr } = await t.throwsAsync<Error & { stderr: string }>(staff(folder));
  t.true(stderr.includes(`DATA_DIR=${demo}`), stderr);
  t.false(existsSync(join(folder, 'keelson.db')));
  t.regex((await staff(demo)).stdout, /^ada@example\.com can sign in/);
});

test('a missing plugin folder stops start-up with one sentence', async (t) => {
  const PLUGINS_DIR = join(tmpdir(), 'keelson-no-plugins');
  const env = { PATH: process.env['PATH'], PLUGINS_DIR };
  const { stderr } = await t.throwsAsync<Error & { stderr: string }>(
    run(process.execPath, [resolve('cli.js'), 'check'], { env }),
  );
  t.is(stderr, `PLUGINS_DIR: the folder ${PLUGINS_DIR} does not exist.\n`);
});
