// Generates docs/api.md, which is not committed: all exports of @keelson/core with signatures, comments and examples.
// Also generates core/exports.txt, which is committed: the names alone, so that reviews show additions and removals.
// Fails if a name lacks a comment or example. With `--check`, writes nothing and verifies core/exports.txt.
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
