// Types mentioned in signatures but not exported by an entry: options, specifications, results.
import { findDeclaration, type Declarations } from './declarations.ts';
import type { Exported } from './entries.ts';

interface Shape {
  readonly path: string;
  readonly name: string;
  readonly shown: string;
}

/** Maximum depth: `admin` is a SurfaceApi, whose `get` takes a RouteSpec. */
const DEEPEST = 3;
/** Internal objects of core, which are not described to plugin authors. */
const internals = 'App Config Copy Egress List Names Outbox Post Surface Vault WorkContext Zone';
const opaque: ReadonlySet<string> = new Set(internals.split(' '));

/** Returns their declarations with comments, by name, except for types with an entry of their own. */
export function mentionedShapes(
  all: Declarations,
  exports: readonly Exported[],
  everything: readonly Exported[],
): { path: string; signature: string }[] {
  const named = new Set(everything.flatMap(({ name, original }) => [name, original]));
  const shapes = new Map<string, Shape>();
  let next: readonly Shape[] = exports.map(({ from, original }) => ({ path: from, name: original, shown: '' }));
  for (let depth = 0; depth < DEEPEST; depth++) {
    next = next
      .filter(({ name }) => !opaque.has(name))
      .flatMap(({ path, name }) => mentionedBy(all, path, name))
      .filter(({ name }) => !named.has(name) && !shapes.has(name) && !opaque.has(name));
    for (const each of next)
      if (/^(?:core|packages)\//.test(each.path) && !isMachinery(each)) shapes.set(each.name, each);
  }
  return [...shapes.values()]
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ path, shown }) => ({ path, signature: shown }));
}

/** Detects derived types; the function's signature is sufficient for these. */
const isMachinery = ({ shown }: Shape): boolean => /^type \w+(?:<| =\s*\()/m.test(shown);

function mentionedBy(all: Declarations, path: string, name: string): Shape[] {
  const by = findDeclaration(all, path, name);
  if (!by) return [];
  const code = by.signature.replace(/\/\*[^]*?\*\/|'[^'\n]*'/g, '');
  return [...new Set(code.match(/\b[A-Z]\w+/g))].flatMap((each) => {
    const found = each === name ? undefined : findDeclaration(all, by.path, each);
    if (!found || !/^(?:interface|type) /.test(found.signature)) return [];
    const lines = found.comment.split('\n');
    const comment = lines.length > 1 ? `/**\n * ${lines.join('\n * ')}\n */\n` : `/** ${found.comment} */\n`;
    return [{ path: found.path, name: each, shown: (found.comment === '' ? '' : comment) + found.signature }];
  });
}
