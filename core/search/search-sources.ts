// Collects the plugins' search declarations and decides which of them a caller may search.
import type { Table } from '@keelson/database/schema/table.ts';
import { forbidden, invalid } from '@keelson/kit/problem.ts';
import type { App } from '../plugin/app.ts';
import type { Context } from '../plugin/context.ts';
import { perApp } from '../plugin/per-app.ts';
import type { Found, Searchable, SearchSurface } from './searchable.ts';

interface Source {
  readonly plugin: string;
  readonly searchable: Searchable;
}

const sourcesOf = perApp(({ plugins }: App): ReadonlyMap<string, Source> => {
  // The cast is safe: plugin declarations are made by searchable() (plugin/declaration/search-declaration.ts).
  const all = plugins.flatMap(({ id, search = [] }) =>
    search.map((each) => ({ plugin: id, searchable: each as Searchable })),
  );
  return new Map(all.map((each) => [each.searchable.table.name, each]));
});

/** Returns everything searchable. */
export function searchables(app: App): Searchable[] {
  return [...sourcesOf(app).values()].map((each) => each.searchable);
}

/** Returns the declaration of a table. @throws Error when no plugin declares it */
export function searchableOf(app: App, { name }: Table): Searchable {
  const source = sourcesOf(app).get(name);
  if (!source) throw new Error(`No plugin declares ${name} as searchable`);
  return source.searchable;
}

/** A type that the caller may search. */
export interface Type {
  readonly searchable: Searchable;
  readonly found: Found;
}

export interface TypesAsked {
  readonly surface: SearchSurface;
  /** The company whose module switches apply. */
  readonly company?: number | undefined;
  /** Types that exist even if no plugin declares them, each with its aliases; searched by default. */
  readonly known: Readonly<Record<string, readonly string[]>>;
  /** Comma-separated. */
  readonly types?: string | undefined;
}

/**
 * Returns the requested types, and those of them that the caller may search.
 * @throws invalid() for an unknown type (Q-11, C-26); forbidden() when the caller may search none of them (Z-48, Z-56)
 */
export async function typesFor(ctx: Context, asked: TypesAsked): Promise<{ asked: string[]; types: Type[] }> {
  const { surface, company, known } = asked;
  const declared = declaredFor(ctx.app, surface);
  const named = namesOf(asked, searchTypes(ctx.app, surface, known));
  // The usual types appear in the response only if something is found.
  const answered = named ?? Object.keys(known);
  const names = named ?? [...answered, ...usualTypes(ctx.app, declared)];
  const wanted = declared.filter(({ found }) => names.includes(found.type));
  const allowed = wanted.filter(({ found }) => found.access.allows(ctx.actor));
  if (wanted.length > 0 && allowed.length === 0) throw forbidden();
  const types: Type[] = [];
  for (const { plugin, ...type } of allowed)
    if (company === undefined || (await ctx.app.switches.enabled(ctx, company, plugin))) types.push(type);
  return { asked: answered, types };
}

/**
 * Returns the names of all searchable types of a surface, known ones first.
 * @example searchTypes(ctx.app, 'helpdesk', { tickets: [], kb: [] }); // ['tickets', 'kb', 'claims']
 */
export function searchTypes(app: App, surface: SearchSurface, known: TypesAsked['known']): string[] {
  return [...new Set([...Object.keys(known), ...declaredFor(app, surface).map(({ found }) => found.type)])];
}

function declaredFor(app: App, surface: SearchSurface): (Type & { plugin: string })[] {
  return [...sourcesOf(app).values()].flatMap(({ plugin, searchable }) => {
    const found = searchable.options.found?.[surface];
    return found ? [{ plugin, searchable, found }] : [];
  });
}

/**
 * Returns the types searched by default: those of third-party plugins, because people who install one expect to find
 * its records, and those declared `usual`.
 */
function usualTypes({ loaded }: App, declared: readonly (Type & { plugin: string })[]): string[] {
  const theirs = new Set(loaded.filter(({ source }) => source === 'plugin').map(({ plugin }) => plugin.id));
  return declared.filter(({ plugin, found }) => found.usual || theirs.has(plugin)).map(({ found }) => found.type);
}

function namesOf({ types = '', known }: TypesAsked, all: readonly string[]): string[] | undefined {
  const given = types.split(',').flatMap((each) => each.trim().toLowerCase() || []);
  if (given.length === 0) return undefined;
  const names = given.map((each) => {
    const name = all.find((one) => one === each || known[one]?.includes(each));
    if (name === undefined) throw invalid(`types must be among: ${all.join(', ')}`);
    return name;
  });
  return [...new Set(names)];
}
