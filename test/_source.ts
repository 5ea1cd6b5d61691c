// The source as text, for the rules that no compiler knows.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');

export interface Source {
  /** Below the repository: `modules/tickets/create.ts`. */
  readonly path: string;
  /** Without the lines that are comments only. */
  readonly code: string;
  readonly lines: number;
}

/** What modules send to browsers, and programs for other machines: they have other rules, and other clocks. */
const ELSEWHERE = /\/modules\/\w+\/(?:browser|collector)\//;

/** The TypeScript files below these folders; those in folders named `test` only when asked for. */
export function sourcesOf(folders: readonly string[], { tests = false } = {}): readonly Source[] {
  return folders
    .flatMap((folder) => filesBelow(join(root, folder)))
    .filter((path) => path.endsWith('.ts') && !ELSEWHERE.test(path) && (tests || !path.includes('/test/')))
    .map(read);
}

/** The files below these folders that browsers get. */
export function browserSources(folders: readonly string[]): readonly Source[] {
  return folders
    .flatMap((folder) => filesBelow(join(root, folder)))
    .filter((path) => path.endsWith('.tsx') || (/\/web\//.test(path.slice(root.length)) && /(?<!\.d)\.ts$/.test(path)))
    .filter((path) => !path.slice(root.length).startsWith('/core/'))
    .map(read);
}

/** Every import and re-export: what is imported, and its names. Type-only ones count too. */
export function importsOf({ code }: Source): readonly { from: string; names: readonly string[] }[] {
  const found = code.matchAll(/^(?:import|export)\b([^;'"]*?)\bfrom '([^']+)'/gm);
  const plain = code.matchAll(/^import '([^']+)'|\bimport\('([^']+)'\)/gm);
  return [
    ...[...found].map(([, names = '', from = '']) => ({ from, names: names.match(/\w+/g) ?? [] })),
    ...[...plain].map(([, first, second]) => ({ from: first ?? second ?? '', names: [] })),
  ];
}

/** `path:line` of every place where the pattern matches. */
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
  // Lines stay, so that places are told right.
  const code = text.replace(/^\s*(?:\/\/|\/\*|\*).*$/gm, '');
  return { path: relative(root, path), code, lines: text.trimEnd().split('\n').length };
}
