// Examples from real, compiled and tested code: the guide, its plugin, then our modules and tests.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Example {
  /** Source file; undefined for a purpose-written example. */
  readonly path: string | undefined;
  readonly code: string;
}

/** Finds the example of an exported name. */
export type ExampleFinder = (name: string, isType: boolean) => Example | undefined;

interface Source {
  readonly path: string;
  readonly lines: readonly string[];
  /** Maps exported names to local ones: `TechnicianActor as Actor`. */
  readonly names: ReadonlyMap<string, string>;
}

const written = 'scripts/api-docs/examples/';

/** Best source first; within a source, the shortest statement. */
const places: readonly (readonly string[])[] = [
  ['plugins/README.md'],
  [`${written}*.ts`],
  ['plugins/warranty/**/*.ts', 'plugins/warranty/*.ts'],
  ['modules/*/*.ts', 'modules/*/**/*.ts'],
  ['test/*.ts', 'test/**/*.ts'],
];
const LONGEST = 12;
const WIDEST = 140;

export function exampleFinder(root: string): ExampleFinder {
  const tiers = places.map((patterns) => sourcesOf(root, patterns));
  return (name, isType) => {
    for (const tier of tiers) {
      const found = tier.flatMap((source) => candidates(source, name, isType));
      const [best] = found.toSorted((one, other) => one.cost - other.cost);
      if (best) return { path: best.path?.startsWith(written) ? undefined : best.path, code: best.code };
    }
    return undefined;
  };
}

function sourcesOf(root: string, patterns: readonly string[]): Source[] {
  const paths = new Set(globSync([...patterns], { cwd: root, exclude: (path) => path.includes('browser') }).toSorted());
  return [...paths].flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const blocks = path.endsWith('.md')
      ? [...text.matchAll(/^```ts \w+\n([^]*?)^```$/gm)].map(([, code = '']) => code)
      : [text];
    const names = new Map(blocks.flatMap(importedNames));
    return names.size === 0 ? [] : blocks.map((block) => ({ path, lines: codeLines(block), names }));
  });
}

function importedNames(code: string): [string, string][] {
  return [...code.matchAll(/^import (?:type )?\{([^}]*)\} from '@keelson\/(?:core(?:\/\w+)?|testing)';/gm)]
    .flatMap(([, names = '']) => names.split(','))
    .map((each) =>
      each
        .trim()
        .replace(/^type /, '')
        .split(' as '),
    )
    .map(([name = '', local = name]) => [name, local]);
}

/** Blanks imports and comments, which are not examples; line numbers stay the same. */
const codeLines = (code: string): string[] =>
  code
    .replace(/^(?:import|export) (?:type )?(?:\{[^}]*\}|\*[^;]*) from [^;]*;|^\s*(?:\/\/|\/\*|\*).*$/gm, '')
    .split('\n');

function candidates(source: Source, name: string, isType: boolean): (Example & { cost: number })[] {
  const local = source.names.get(name);
  if (local === undefined) return [];
  const used = isType
    ? new RegExp(
        `(?:[:<|&,(]|=>|extends|satisfies) (?:readonly )?${local}\\b|[<(]${local}\\b(?!\\()|^(?:export )?type \\w+ = ${local}\\b`,
      )
    : new RegExp(`(?<![.\\w'\`/-])(?<!const |function )${local}(?=[(<.,;)\\]\\[ \`])(?! [=:])(?!\\s+\\w)`);
  return source.lines.flatMap((line, index) => {
    if (!used.test(line)) return [];
    const code = statementAt(source.lines, index);
    if (code === undefined) return [];
    const lines = code.split('\n');
    // Prefer whole statements to arguments, and calls to mentions.
    const whole = /[;}]$/.test(code) ? 0 : 40;
    const called = isType || new RegExp(`\\b${local}[(<.\`]`).test(code) ? 0 : 60;
    return [
      {
        path: source.path,
        code: code.replace(/^export (?!default)/, ''),
        cost: lines.length * 50 + code.length + whole + called,
      },
    ];
  });
}

/** Returns the lines from here until all brackets are closed, without function bodies. */
function statementAt(lines: readonly string[], from: number): string | undefined {
  const first = lines[from] ?? '';
  if (first.endsWith('{') && /^\s*\)|\bfunction\b/.test(first)) return functionAt(lines, from);
  const taken: string[] = [];
  for (const line of lines.slice(from, from + LONGEST)) {
    taken.push(line);
    const open = depth(taken.join('\n'));
    if (open < 0) return undefined;
    if (open === 0) return short(dedented(taken).replace(/,$/, ''));
  }
  return undefined;
}

/** Returns the head of a function that ends on this line. */
function functionAt(lines: readonly string[], last: number): string | undefined {
  const first = lines.slice(0, last + 1).findLastIndex((line) => /\bfunction\b/.test(line));
  const head = dedented(lines.slice(Math.max(first, last - LONGEST), last + 1));
  return depth(head) === 1 ? short(`${head} … }`) : undefined;
}

const short = (code: string): string | undefined =>
  code.split('\n').some((line) => line.length > WIDEST) ? undefined : code;

/** Returns the number of open brackets; -1 if unbalanced. */
function depth(code: string): number {
  let open = 0;
  for (const [bracket] of code.replace(/'(?:[^'\\\n]|\\.)*'/g, "''").matchAll(/[([{)\]}]/g)) {
    open += '([{'.includes(bracket) ? 1 : -1;
    if (open < 0) return -1;
  }
  return open;
}

function dedented(lines: readonly string[]): string {
  const blanks = /^ */.exec(lines[0] ?? '')?.[0].length ?? 0;
  return lines.map((line) => line.slice(Math.min(blanks, /^ */.exec(line)?.[0].length ?? 0))).join('\n');
}
