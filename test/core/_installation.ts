// A copy of the product in its own folder, for tests that install plugins without affecting others.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { makeFolder } from '../_folder.ts';

export interface Copy {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs `node <args>` in it; returns the output. @throws when it fails */
  node(...args: string[]): Promise<string>;
  /** Runs `node cli.js <args>`. */
  cli(...args: string[]): Promise<string>;
  ava(file: string): Promise<string>;
}

/** Copies everything except the plugins and links the installed packages. Removed with the test. */
export function copyInstallation(t: ExecutionContext): Copy {
  const folder = makeFolder(t);
  for (const each of [
    'core',
    'modules',
    'packages',
    'web',
    'config',
    'migrations',
    'cli.js',
    'package.json',
    'tsconfig.json',
  ]) {
    cpSync(resolve(each), join(folder, each), { recursive: true });
  }
  mkdirSync(join(folder, 'plugins'));
  linkPackages(resolve('node_modules'), join(folder, 'node_modules'));
  // A cache of compiled code for the copy would be written and never used.
  const env = { ...process.env, DATA_DIR: join(folder, 'data'), DATABASE_URL: '', NODE_DISABLE_COMPILE_CACHE: '1' };
  const node = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, args, { cwd: folder, env })).stdout;
  return {
    folder,
    env,
    node,
    cli: (...args) => node('cli.js', ...args),
    ava: (file) => node('node_modules/ava/entrypoints/cli.js', '--timeout=2m', file),
  };
}

// Workspaces must point to the copies; otherwise plugins would load the original's core.
function linkPackages(from: string, to: string): void {
  mkdirSync(join(to, '@keelson'), { recursive: true });
  for (const each of readdirSync(from).filter((name) => name !== '@keelson'))
    symlinkSync(join(from, each), join(to, each));
  const { workspaces } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { workspaces: string[] };
  for (const each of workspaces) symlinkSync(join('../..', each), join(to, '@keelson', basename(each)));
}
