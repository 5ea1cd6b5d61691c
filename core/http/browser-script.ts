// Scripts for browsers, written in TypeScript like all else and served without a build: what a browser does not know is
// taken out where it runs.
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

/**
 * One script of several files of `folder`, in the order of their needs: types, comments and indentation out, one function
 * around all. The files import one another as modules do, for the type checker; their top-level names must differ.
 * Reads files: keep what it answers.
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

/** Node warns that this is experimental; an operator who reads that has nothing to do about it. */
function withoutTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
