// A copy of the product in a folder of its own, for tests that put plugins in: the others never see them.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';

export interface Copy {
  readonly folder: string;
  /** Runs `node <args>` in it; answers what was printed. @throws when it fails */
  node(...args: string[]): Promise<string>;
  /** `node cli.js <args>` */
  cli(...args: string[]): Promise<string>;
  ava(file: string): Promise<string>;
}

/** Copies everything but the plugins; installed packages are linked. Removed with the test. */
export function copyInstallation(t: ExecutionContext): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-copy-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  for (const each of ['core', 'modules', 'web', 'config', 'migrations', 'cli.js', 'package.json', 'tsconfig.json']) {
    cpSync(resolve(each), join(folder, each), { recursive: true });
  }
  mkdirSync(join(folder, 'plugins'));
  linkPackages(resolve('node_modules'), join(folder, 'node_modules'));
  const env = { ...process.env, DATA_DIR: join(folder, 'data'), DATABASE_URL: '' };
  const node = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, args, { cwd: folder, env })).stdout;
  return {
    folder,
    node,
    cli: (...args) => node('cli.js', ...args),
    ava: (file) => node('node_modules/ava/entrypoints/cli.js', '--timeout=2m', file),
  };
}

// The workspaces must be the copies, or the plugins would meet the original's core.
function linkPackages(from: string, to: string): void {
  mkdirSync(join(to, '@keelson'), { recursive: true });
  for (const each of readdirSync(from).filter((name) => name !== '@keelson'))
    symlinkSync(join(from, each), join(to, each));
  for (const each of ['core', 'modules', 'web']) symlinkSync(join('../..', each), join(to, '@keelson', each));
}
