// Runs builds in a child process, and stores the results.
import { fork } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { BuildInput, Manifest, Sources } from './build-input.ts';

const worker = join(import.meta.dirname, 'build-worker.ts');
const BUILD_SECONDS = 120;
/** Requests take precedence: the child runs at a lower priority than the server. */
const GIVES_WAY = 5;
/** How long pages of an earlier build may still request its files. The newest earlier build is always kept. */
const KEPT_MS = 60 * 60 * 1000;
/** A half-written folder this old belongs to a dead process. */
const ABANDONED_MS = 10 * 60 * 1000;
const HALF = 'building-';

/** A finished build and its folder. */
export interface Finished {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Returns the build with this hash from one of the folders, if any. */
export async function findBuild(places: readonly string[], hash: string): Promise<Finished | undefined> {
  for (const place of places) {
    const folder = join(place, hash);
    const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(absent);
    if (text !== undefined) return { folder, manifest: JSON.parse(text) as Manifest };
  }
  return undefined;
}

/**
 * Builds into `place` atomically. Another process may finish the same build first.
 * @throws Error when the kit or the shells cannot be built; faults of pages are in the manifest instead
 */
export async function buildInto(place: string, sources: Sources, signal?: AbortSignal): Promise<Finished> {
  await mkdir(place, { recursive: true });
  await tidy(place, sources.hash);
  const target = await mkdtemp(join(place, HALF));
  try {
    signal?.throwIfAborted();
    await runChild({ ...sources, target }, signal);
    // These files are public, and the server may run as another user than the builder.
    await chmod(target, 0o755);
    await rename(target, join(place, sources.hash)).catch(sameAlready);
  } finally {
    await rm(target, { recursive: true, force: true });
  }
  const made = await findBuild([place], sources.hash);
  if (!made) throw new Error(`The build in ${place} has disappeared`);
  return made;
}

/** Marks a build as in use, which keeps it. */
export async function touch({ folder }: Finished, now: Date): Promise<void> {
  // The folder may be read-only, and then nothing is removed from it either.
  await utimes(folder, now, now).catch(ignoreReadOnly);
}

function runChild(input: BuildInput, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = fork(worker, { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const kill = (): boolean => child.kill('SIGKILL');
  const late = setTimeout(kill, BUILD_SECONDS * 1000).unref();
  signal?.addEventListener('abort', kill, { once: true });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2000)));
  child.on('error', reject);
  child.on('message', (answer: { done?: true; failed?: string }) =>
    answer.done ? resolve() : reject(new Error(answer.failed)),
  );
  child.on('exit', () => {
    clearTimeout(late);
    signal?.removeEventListener('abort', kill);
    reject(new Error(`The page build ended unexpectedly. ${said.trim()}`));
  });
  if (child.pid !== undefined) setPriority(child.pid, GIVES_WAY);
  child.send(input);
  return promise;
}

/** Removes builds no page requests any more: keeps this one, the newest other one, and those of the last hour. */
async function tidy(place: string, hash: string): Promise<void> {
  const now = Date.now();
  const names = await readdir(place);
  const aged = await Promise.all(
    names.map(async (name) => {
      const at = await stat(join(place, name)).then((each) => each.mtimeMs, absent);
      return { name, age: now - (at ?? now) };
    }),
  );
  const builds = aged.filter(({ name }) => /^[0-9a-f]{16}$/.test(name) && name !== hash);
  const old = builds
    .toSorted((a, b) => a.age - b.age)
    .slice(1)
    .filter(({ age }) => age > KEPT_MS);
  const halves = aged.filter(({ name, age }) => name.startsWith(HALF) && age > ABANDONED_MS);
  for (const { name } of [...old, ...halves]) await rm(join(place, name), { recursive: true, force: true });
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

function absent(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
}

function sameAlready(error: unknown): void {
  if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
}

function ignoreReadOnly(error: unknown): void {
  if (!['EROFS', 'EACCES', 'EPERM'].includes(String(codeOf(error)))) throw error;
}
