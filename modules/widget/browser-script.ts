// Browser scripts written in TypeScript and served without a build step: types are stripped at run time.
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

/**
 * Joins files of `folder` into one script inside a function, without types, comments or indentation. List each file
 * after those it imports; `constants` are declared before them. Imports are for the type checker only, so top-level
 * names must be unique. Reads files on each call, so keep the result.
 */
export function browserScript(folder: string, files: readonly string[], constants: object): string {
  const given = Object.entries(constants).map(([name, value]) => `const ${name}=${JSON.stringify(value)};`);
  const parts = files.map((file) => plain(readFileSync(join(folder, file), 'utf8')));
  return `(()=>{'use strict';\n${[...given, ...parts].join('\n')}\n})();\n`;
}

function plain(source: string): string {
  return withoutTypes(source)
    .replace(/^import\b[^;]*;$/gm, '')
    .replace(/^export /gm, '')
    .replace(/^ *\/\*\*.*?\*\/$/gms, '')
    .replace(/^ *\/\/.*$/gm, '')
    .replace(/^ +| +$/gm, '')
    .replace(/\n{2,}/g, '\n');
}

/** Suppresses Node's experimental warning, which operators cannot act on. */
function withoutTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
