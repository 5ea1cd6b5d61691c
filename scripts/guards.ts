// Removes the guards of test/_guards.ts one at a time, in a copy of the source, and runs the test that must then fail:
// `npm run test:guards`, or `npm run test:guards -- modules/mailbox core/http` for those whose file or test contains one
// of these texts.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { guards, isTitleOf, withoutGuard, type Guard } from '../test/_guards.ts';

const root = resolve(import.meta.dirname, '..');
/** A test that waits for ever without its guard has failed, too. */
const TIMEOUT_MS = 60_000;

const wanted = process.argv.slice(2);
const chosen = guards.filter(
  ({ file, test }) => wanted.length === 0 || wanted.some((each) => file.includes(each) || test.includes(each)),
);

const copy = mkdtempSync(join(tmpdir(), 'guards-'));
try {
  copySource();
  const found = [];
  for (const [test, some] of Map.groupBy(chosen, (each) => each.test)) found.push(...(await tryAll(test, some)));
  const caught = found.filter((each) => each === 'caught').length;
  console.log(`${found.length} guards removed, ${caught} noticed by their test`);
  process.exitCode = caught === found.length ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** Copies the source. Packages are linked, except our own, which lead to the copy. */
function copySource(): void {
  const left = /(?:^|\/)(?:\.git|node_modules|data|\.web)$/;
  for (const each of readdirSync(root))
    if (!left.test(each))
      cpSync(join(root, each), join(copy, each), { recursive: true, filter: (path) => !left.test(path) });
  const packages = join(root, 'node_modules');
  mkdirSync(join(copy, 'node_modules'));
  cpSync(join(packages, '@keelson'), join(copy, 'node_modules/@keelson'), { recursive: true, verbatimSymlinks: true });
  for (const each of readdirSync(packages))
    if (each !== '@keelson' && each !== '.cache') symlinkSync(join(packages, each), join(copy, 'node_modules', each));
}

type Result = 'caught' | 'NOT caught' | 'text not found once' | 'fails with the guard, too';

/** Tries the guards of one test file, whose tests must pass first. */
async function tryAll(test: string, some: readonly Guard[]): Promise<Result[]> {
  const passed = await run(test, some);
  const results: Result[] = [];
  for (const guard of some) {
    const result = passed(guard) === true ? await tryOne(guard) : 'fails with the guard, too';
    console.log(`${result.padEnd(10)}  ${guard.prevents} (${guard.file}, ${guard.test})`);
    results.push(result);
  }
  return results;
}

async function tryOne(guard: Guard): Promise<Result> {
  const path = join(copy, guard.file);
  const source = readFileSync(path, 'utf8');
  const mutated = withoutGuard(source, guard);
  if (mutated === undefined) return 'text not found once';
  writeFileSync(path, mutated);
  try {
    const passed = await run(guard.test, [guard]);
    // Undefined: the test did not run, for example because the changed file cannot be loaded.
    return passed(guard) === false ? 'caught' : 'NOT caught';
  } finally {
    writeFileSync(path, source);
  }
}

/** Runs the tests of these guards. Returns whether the test of each passed; undefined if it did not run. */
async function run(test: string, some: readonly Guard[]): Promise<(guard: Guard) => boolean | undefined> {
  const match = some.map(({ title }) => `--match=${title}`);
  const args = [join(copy, 'node_modules/.bin/ava'), '--tap', `test/${test}.test.ts`, ...match];
  const limits = { timeout: TIMEOUT_MS * some.length, killSignal: 'SIGKILL' } as const;
  const ava = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'pipe', 'ignore'], ...limits });
  const lines = (await ava.stdout.toArray()).join('').split('\n');
  const outcomes = lines.flatMap((line) => {
    const [, not, title] = /^(not )?ok \d+ - (.*)$/.exec(line) ?? [];
    return title === undefined ? [] : [{ passed: not === undefined, title }];
  });
  return (guard) => {
    const own = outcomes.filter(({ title }) => isTitleOf(guard, title));
    if (own.length > 0) return own.every((each) => each.passed);
    return ava.killed ? false : undefined;
  };
}
