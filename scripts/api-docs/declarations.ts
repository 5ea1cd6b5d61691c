// Signatures and comments, read from emitted declarations because TypeScript 7 has no programmatic API.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Declaration {
  readonly name: string;
  readonly exported: boolean;
  /** Without `export` and `declare`; overloads on separate lines. */
  readonly signature: string;
  /** Text of the doc comment, without asterisks. */
  readonly comment: string;
}

/** Declarations of a core file, and the origins of its other names. */
export interface DeclarationFile {
  readonly declared: ReadonlyMap<string, Declaration>;
  /** Maps a name to the core file it is imported from. */
  readonly imported: ReadonlyMap<string, string>;
  /** Names re-exported from other files. */
  readonly reExported: readonly string[];
}

/** Declarations by path: `packages/kit/time.ts`. */
export type Declarations = ReadonlyMap<string, DeclarationFile>;

/** Resolves an alias such as `type Event<Data> = events.Event<Data, Context>`. */
export function findAliased(
  all: Declarations,
  { path, signature }: { path: string; signature: string },
): Declaration | undefined {
  const [, namespace, name] = /^type \w+(?:<[^=]*(?: = [^=]*)?>)? = (\w+)\.(\w+)</.exec(signature) ?? [];
  const from = all.get(path)?.imported.get(`${namespace}.*`);
  return from === undefined || name === undefined ? undefined : findDeclaration(all, from, name);
}

/** Finds the declaration of a name that a file declares, imports or exports. */
export function findDeclaration(
  all: Declarations,
  path: string,
  name: string,
): (Declaration & { path: string }) | undefined {
  const file = all.get(path);
  const declaration = file?.declared.get(name);
  if (declaration) return { ...declaration, path };
  const from = file?.imported.get(name);
  return from === undefined ? undefined : findDeclaration(all, from, name);
}

/** Runs the compiler for these files and their imports. @throws Error on compile errors */
export function emitDeclarations(root: string, paths: readonly string[]): Declarations {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-api-'));
  try {
    const config = join(folder, 'tsconfig.json');
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: join(folder, 'out'),
      rootDir: root,
      typeRoots: [join(root, 'node_modules/@types')],
      // The compiler sometimes emits no declarations for files it reaches through node_modules.
      paths: {
        ...Object.fromEntries(
          ['files', 'storage'].map((name) => [`@keelson/${name}`, [join(root, `packages/${name}/index.ts`)]]),
        ),
        '@keelson/*.ts': [join(root, 'packages/*.ts')],
      },
    };
    const files = paths.map((path) => join(root, path));
    writeFileSync(
      config,
      JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files }),
    );
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { stdio: 'inherit' });
    return readDeclarations(join(folder, 'out'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readDeclarations(folder: string): Declarations {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.d.ts'));
  return new Map(
    paths.map((path) => {
      const file = path.replace(/\.d\.ts$/, '.ts');
      return [file, parseFile(file, readFileSync(join(folder, path), 'utf8'))];
    }),
  );
}

/** Returns the file that one of our imports resolves to. */
export function sourceOf(path: string, from: string): string {
  if (from.startsWith('.')) return join(dirname(path), from);
  return from.replace(/^@keelson\/(\w+)$/, 'packages/$1/index.ts').replace(/^@keelson\/(.+\.ts)$/, 'packages/$1');
}

function parseFile(path: string, text: string): DeclarationFile {
  const imported = new Map<string, string>();
  const reExported: string[] = [];
  const lists = text.matchAll(
    /^(import|export) (?:type )?\{([^}]*)\} from '((?:\.|@keelson\/(?!core|modules|words))[^']*)';$/gm,
  );
  for (const [, kind, list = '', from = ''] of lists) {
    const names = list.split(',').map((each) => each.trim().replace(/^type /, ''));
    for (const each of names) imported.set(each, sourceOf(path, from));
    if (kind === 'export') reExported.push(...names);
  }
  for (const [, name = '', from = ''] of text.matchAll(
    /^import (?:type )?\* as (\w+) from '((?:\.|@keelson\/)[^']*)';$/gm,
  )) {
    imported.set(`${name}.*`, sourceOf(path, from));
  }
  for (const [, from = '', name = ''] of text.matchAll(
    /\bimport\("((?:\.|@keelson\/(?!core|modules|words))[^"]*)"\)\.(\w+)/g,
  )) {
    imported.set(name, sourceOf(path, from));
  }
  const declared = new Map<string, Declaration>();
  // A statement ends where the next begins: inner lines are indented or start with a closing bracket.
  const statements = text.matchAll(/^(\/\*\*[^]*?\*\/\n)?[a-z][^]*?(?=\n(?:[a-z]|\/\*)|$(?![^]))/gm);
  for (const [statement, comment = ''] of statements) {
    const found = parseStatement(statement.slice(comment.length), comment);
    if (!found) continue;
    // Merge overloads, and a value and type with the same name.
    const before = declared.get(found.name);
    declared.set(found.name, before ? { ...before, signature: `${before.signature}\n${found.signature}` } : found);
  }
  return { declared, imported, reExported };
}

function parseStatement(statement: string, comment: string): Declaration | undefined {
  const [head, name] =
    /^(?:export )?(?:declare )?(?:abstract )?(?:const|function|class|interface|type) (\w+)/.exec(statement) ?? [];
  if (head === undefined || name === undefined) return undefined;
  const signature = statement
    .trim()
    .replace(/^(?:export )?(?:declare )?/, '')
    // Omit private members.
    .replace(/^ {4}(?:private .*|#private;)\n/gm, '')
    .replace(/\bimport\("[^"]*"\)\./g, '');
  return { name, exported: statement.startsWith('export '), signature, comment: commentText(comment) };
}

const commentText = (comment: string): string =>
  comment
    .replace(/^\/\*\*|\*\/\s*$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .trim();
