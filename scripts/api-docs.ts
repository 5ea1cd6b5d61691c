// Writes docs/api.md: everything that @keelson/core exports, with signatures, comments and examples. With `--check` it
// fails when the page is not what it would write.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { apiPage } from './api-docs/page.ts';

const root = resolve(import.meta.dirname, '..');
const file = join(root, 'docs/api.md');
const { text, missing } = apiPage(root);

if (process.argv.includes('--check')) {
  const problems = missing.map((name) => `${name} has no example: put one into scripts/api-docs/examples/`);
  if (readFileSync(file, 'utf8') !== text) problems.push('docs/api.md is not up to date: npm run api-docs');
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} else {
  writeFileSync(file, text);
  console.log(`docs/api.md written${missing.length > 0 ? `; without example: ${missing.join(', ')}` : ''}`);
}
