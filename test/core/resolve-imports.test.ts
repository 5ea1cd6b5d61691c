// Imports resolve to the same files with and without the shortcut.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';

/** Loads a module in a process of its own; prints what its imports resolve to. */
const program = (setUp: string) => `
  import { registerHooks } from 'node:module';
  ${setUp}
  const found = new Set();
  registerHooks({
    resolve(specifier, context, next) {
      const { url } = next(specifier, context);
      found.add(context.parentURL + ' ' + specifier + ' ' + url);
      return { url, shortCircuit: true };
    },
  });
  await import('./modules/kb/plugin.ts');
  console.log([...found].toSorted().join('\\n'));`;

async function resolved(setUp: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program(setUp)], {
    cwd: resolve('.'),
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.trim().split('\n');
}

test('imports of our files resolve as Node resolves them', async (t) => {
  const [usual, short] = await Promise.all([
    resolved(''),
    resolved(`await import('./core/plugin/load/resolve-imports.ts');`),
  ]);
  const own = (each: string) => !each.includes('resolve-imports.ts');
  t.true(usual.length > 1000);
  t.deepEqual(short.filter(own), usual.filter(own));
});
