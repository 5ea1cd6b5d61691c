// Browser scripts, written in TypeScript and served without a build step: the types are removed at run time.
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

/**
 * Joins files of `folder` to one script, without types, comments and indentation, inside one function. List them so that
 * each comes after those it imports. Their imports are for the type checker only, so top-level names must differ.
 * It reads files, so keep the result.
 */
export function browserScript(folder: string, files: readonly string[]): string {
  const parts = files.map((file) => plain(readFileSync(join(folder, file), 'utf8')));
  return `(()=>{'use strict';\n${parts.join('\n')}\n})();\n`;
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

/** Suppresses Node's warning that this is experimental, which operators can do nothing about. */
function withoutTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
