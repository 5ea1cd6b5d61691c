// Syntax trees of source files, for the scripts that read the product's texts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** Members of declarations that contain text for people. The kit translates them where it displays them. */
export const LABELS: ReadonlySet<string> = new Set([
  'title',
  'empty',
  'confirm',
  'description',
  'label',
  'hint',
  'text',
  'what',
]);

/** A node of a syntax tree. */
export interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}
const isNode = (given: unknown): given is Node => given instanceof Object && 'type' in given;

/** The parts of components and declarations that may contain text. */
export interface Showing {
  readonly name?: { readonly name?: unknown };
  readonly key?: { readonly name?: unknown };
  readonly value?: Node | null;
  readonly callee?: { readonly name?: unknown };
  readonly left?: { readonly name?: unknown };
  readonly right?: Node;
  readonly id?: { readonly name?: unknown };
  readonly init?: Node | null;
  readonly children?: readonly Node[];
  readonly arguments?: readonly Node[];
  readonly attributes?: readonly (Node & Showing)[];
}

/** Returns the texts that an argument may have: `t(open ? 'Close' : 'Open')`. */
export function literalsOf(node: Node): string[] {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return [node['value']];
  if (node.type !== 'ConditionalExpression') return [];
  return [...literalsOf(node['consequent'] as Node), ...literalsOf(node['alternate'] as Node)];
}

/** Parses a source file. */
export const parsed = (path: string): Node =>
  parseAst(readFileSync(path, 'utf8'), { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node;

/** Calls `see` for a node and all nodes inside it. */
export function walk(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node))
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) walk(each, see);
}

/** Returns the source files in a folder and its subfolders, sorted. */
export function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && /(?<!\.d)\.tsx?$/.test(each.name))
    .map((each) => join(each.parentPath, each.name))
    .toSorted();
}
