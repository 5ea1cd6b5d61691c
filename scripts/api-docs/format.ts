// Formats signatures in our code style; the compiler emits its own.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const marker = '// next signature';

/** Formats all signatures in one run, on a single line where they fit. */
export function formatSignatures(root: string, signatures: readonly string[]): string[] {
  const source = signatures
    .map((each) => each.replace(/\{\n\s+(?!\/\*)/g, '{ '))
    .map((each) => `${marker}\n${each.replace(/^(?=(?:const|function|class) )/gm, 'declare ')}\n`)
    .join('\n');
  const args = [
    join(root, 'node_modules/oxfmt/bin/oxfmt'),
    '-c',
    join(root, '.oxfmtrc.json'),
    '--stdin-filepath',
    'signatures.ts',
  ];
  const formatted = execFileSync(process.execPath, args, { cwd: root, input: source, encoding: 'utf8' });
  const parts = formatted.split(`${marker}\n`).slice(1);
  if (parts.length !== signatures.length) throw new Error('The formatter dropped a signature');
  return parts.map((each) => each.trim().replace(/^declare /gm, ''));
}
