// Reads the source as text, for rules that no compiler checks.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');

export interface Source {
  /** Path relative to the repository: `modules/tickets/ticket/create.ts`. */
  readonly path: string;
  /** Source without comment-only lines. */
  readonly code: string;
  readonly lines: number;
}

/** Browser code, and programs for other machines: other rules and clocks apply to them. */
const ELSEWHERE = /\/modules\/\w+\/(?:browser|collector)\//;

/** Returns the TypeScript files in these folders; `tests` includes those in folders named `test`. */
export function sourcesOf(folders: readonly string[], { tests = false } = {}): readonly Source[] {
  return folders
    .flatMap((folder) => filesBelow(join(root, folder)))
    .filter((path) => path.endsWith('.ts') && !ELSEWHERE.test(path) && (tests || !path.includes('/test/')))
    .map(read);
}

/** Returns the files in these folders that are sent to browsers. */
export function browserSources(folders: readonly string[]): readonly Source[] {
  return folders
    .flatMap((folder) => filesBelow(join(root, folder)))
    .filter((path) => path.endsWith('.tsx') || (/\/web\//.test(path.slice(root.length)) && /(?<!\.d)\.ts$/.test(path)))
    .filter((path) => !path.slice(root.length).startsWith('/core/'))
    .map(read);
}

/** Returns every import and re-export, type-only ones included, with its source and names. */
export function importsOf({ code }: Source): readonly { from: string; names: readonly string[] }[] {
  const found = code.matchAll(/^(?:import|export)\b([^;'"]*?)\bfrom '([^']+)'/gm);
  const plain = code.matchAll(/^import '([^']+)'|\bimport\('([^']+)'\)/gm);
  return [
    ...[...found].map(([, names = '', from = '']) => ({ from, names: names.match(/\w+/g) ?? [] })),
    ...[...plain].map(([, first, second]) => ({ from: first ?? second ?? '', names: [] })),
  ];
}

/** Returns `path:line` of every match of the pattern. */
export function places({ path, code }: Source, pattern: RegExp): string[] {
  const global = new RegExp(pattern, `${pattern.flags.replace('g', '')}g`);
  return [...code.matchAll(global)].map((each) => `${path}:${code.slice(0, each.index).split('\n').length} ${each[0]}`);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && !each.parentPath.includes('node_modules'))
    .map((each) => join(each.parentPath, each.name))
    .toSorted();
}

function read(path: string): Source {
  const text = readFileSync(path, 'utf8');
  // Keep the line breaks, so that line numbers stay correct.
  const code = text.replace(/^\s*(?:\/\/|\/\*|\*).*$/gm, '');
  return { path: relative(root, path), code, lines: text.trimEnd().split('\n').length };
}
