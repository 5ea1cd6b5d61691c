// A small disk that fills up quickly.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmdirSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

/** Mounts a small in-memory disk; returns undefined and logs the reason where this user may not mount one. */
export function mountDisk(t: ExecutionContext, size: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-disk-'));
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const run = (...command: string[]) => spawnSync(command[0] ?? '', command.slice(1), { encoding: 'utf8' });
  const options = `size=${size},mode=0777`;
  const mounted = run(...sudo, 'mount', '-t', 'tmpfs', '-o', options, 'keelson-test', folder);
  if (mounted.status !== 0) {
    t.log(`skipped: a small disk cannot be mounted here (${mounted.stderr?.trim() || mounted.error?.message})`);
    rmdirSync(folder);
    return undefined;
  }
  t.teardown(() => {
    run(...sudo, 'umount', '-l', folder);
    rmdirSync(folder);
  });
  mkdirSync(join(folder, 'data'));
  return folder;
}

/** Fills the disk, including space freed meanwhile. */
export function fill(disk: string): string {
  const path = join(disk, 'filler');
  const file = openSync(path, 'w');
  for (let size = 1 << 20; size >= 512;) {
    try {
      writeSync(file, Buffer.alloc(size));
    } catch {
      size /= 2;
    }
  }
  closeSync(file);
  if (statfsSync(disk).bavail > 1) throw new Error('The disk is not full');
  return path;
}
