// Limits of child processes that read files of strangers.
import { existsSync } from 'node:fs';
import { warmChildren } from '@keelson/files';
import anyTest from 'ava';

const work = { module: new URL('./_child.ts', import.meta.url), heapMb: 64, uses: 2, idleMs: 1 };
// Elsewhere the limit is a time by the clock.
const test = existsSync('/proc/self/stat') ? anyTest : anyTest.skip;

test('a child may take longer by the clock than it may compute', async (t) => {
  // More than starting takes.
  const ask = warmChildren({ ...work, cpuMs: 2000 });
  t.is(await ask<string>(new Uint8Array(), { wait: 3000 }), 'done');
});

test('a child that computes without end is ended', async (t) => {
  const ask = warmChildren({ ...work, cpuMs: 1000 });
  t.is(await ask<string>(new Uint8Array(), { work: true }), undefined);
});
