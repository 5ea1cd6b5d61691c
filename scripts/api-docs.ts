// Writes docs/api.md: everything that @keelson/core exports, with signatures, comments and examples. With `--check` it
// fails when the page is not what it would write, or a name lacks its comment or example.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { apiPage } from './api-docs/page.ts';

const root = resolve(import.meta.dirname, '..');
const file = join(root, 'docs/api.md');
const { text, problems } = apiPage(root);
const found = [...problems];

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) found.push('docs/api.md is not up to date: npm run api-docs');
} else {
  writeFileSync(file, text);
  console.log('docs/api.md written');
}
for (const problem of found) console.error(problem);
process.exitCode = found.length > 0 ? 1 : 0;
