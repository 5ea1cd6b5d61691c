// Writes docs/api.md, which is not committed: everything that @keelson/core exports, with signatures, comments and
// examples. Fails when a name lacks its comment or example; with `--check` nothing is written.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { apiPage } from './api-docs/page.ts';

const root = resolve(import.meta.dirname, '..');
const file = join(root, 'docs/api.md');
const { text, problems } = apiPage(root);

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
  console.log('docs/api.md written');
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
