// Simulates a slow disk: fsync waits 2 ms first, like a good server SSD.
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const source = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
int fsync(int fd) { usleep(2000); return ((int (*)(int)) dlsym(RTLD_NEXT, "fsync"))(fd); }
int fdatasync(int fd) { usleep(2000); return ((int (*)(int)) dlsym(RTLD_NEXT, "fdatasync"))(fd); }
`;

/** Builds the library to preload; undefined without a C compiler. */
export function buildSlowFsync(folder: string): string | undefined {
  if (spawnSync('gcc', ['--version']).status !== 0) return undefined;
  const library = join(folder, 'slow-fsync.so');
  const file = join(folder, 'slow-fsync.c');
  writeFileSync(file, source);
  execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', library, file, '-ldl']);
  return library;
}
