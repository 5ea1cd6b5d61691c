// Writes docs/api.md, which is not committed: everything that @keelson/core exports, with signatures, comments and
// examples; and core/exports.txt, which is: the names alone, so that a review sees what is added and taken away. Fails when a
// name lacks its comment or example; with `--check` nothing is written, and the names must be those that are committed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { apiPage } from './api-docs/page.ts';

const root = resolve(import.meta.dirname, '..');
const file = join(root, 'docs/api.md');
const namesFile = join(root, 'core/exports.txt');
const { text, names, problems } = apiPage(root);

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
  writeFileSync(namesFile, names);
  console.log('docs/api.md and core/exports.txt written');
} else if (!existsSync(namesFile) || readFileSync(namesFile, 'utf8') !== names) {
  console.error('core/exports.txt is out of date: npm run api-docs');
  process.exitCode = 1;
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
