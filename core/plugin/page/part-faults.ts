// Validates the pages that plugins declare, without building them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { memoize } from '@keelson/kit/memoize.ts';
import type { Fault, Loaded } from '../load/loaded.ts';
import type { Access } from '../route/surface.ts';
import { iconNames } from './icon-names.ts';
import { madePageFaults } from './made-page-faults.ts';
import { operationsOf } from './page-operations.ts';
import { panelSlots, sections, type NavPlace, type Part } from './part.ts';

const icons: ReadonlySet<string> = new Set(iconNames);
const slots: ReadonlySet<string> = new Set(panelSlots);
const knownSections: ReadonlySet<string | undefined> = new Set(sections);
const addresses = { console: '/admin', portal: '/helpdesk' } as const;

/** Returns every fault in the plugins' pages, with plugin and page. File checks are skipped for checked plugins. */
export function partFaults(loaded: readonly Loaded[], isChecked: (each: Loaded) => boolean): Fault[] {
  const plugins = loaded.map(({ plugin }) => plugin);
  const permissions = new Set(
    plugins.flatMap(({ permissions: own = [] }) => own.map((each) => `${each.surface} ${each.name}`)),
  );
  const served = new Map(
    plugins.flatMap(({ id, routes = [] }) =>
      routes.filter((each) => each.surface.prefix === '').map((each) => [each.path, id] as const),
    ),
  );
  const taken = new Map<string, string>(served);
  return loaded.flatMap((each) => {
    const { plugin, source } = each;
    return [plugin.console, plugin.portal].flatMap((part) => {
      if (!part) return [];
      const { kind } = part;
      const operations = operationsOf(plugins, kind);
      const messages = [
        ...(isChecked(each) ? [] : [...missingFiles(part), ...madePageFaults(part, operations)]),
        ...takenNames(part, plugin.id, taken),
        ...placeFaults(part),
        ...(source === 'plugin' ? outside(part, plugin.id) : []),
        ...undeclaredRules(part, permissions),
      ];
      return messages.map((message) => ({ plugin: plugin.id, message: `${kind}: ${message}` }));
    });
  });
}

const piecesOf = ({ pages, panels, columns, commands }: Part) => [...pages, ...panels, ...columns, ...commands];
const placesOf = ({ pages, lists, sheets }: Part) => [...pages, ...lists, ...sheets];

// Cached: plugins are checked in several rounds, but files are looked up once.
const missingFiles = memoize((part: Part): readonly string[] =>
  piecesOf(part).flatMap(({ file, title }) => {
    if (!/^[a-z][a-z0-9-]*$/.test(file))
      return [`${title}: the file ${file} must be lower-case letters, digits and hyphens`];
    return existsSync(join(part.folder, `${file}.tsx`)) ? [] : [`${title}: ${part.kind}/${file}.tsx does not exist`];
  }),
);

/** Parameter names do not affect which addresses a page matches. */
function takenNames(part: Part, owner: string, taken: Map<string, string>): string[] {
  const claims = [
    ...placesOf(part).map(({ path }) => [
      `path ${path}`,
      `${addresses[part.kind]}${path === '/' ? '' : path}`.replaceAll(/:\w+/g, ':'),
    ]),
    ...part.commands.map(({ id }) => [`command ${id}`, `${part.kind} command ${id}`]),
    ...part.records.map(({ type }) => [`record ${type}`, `${part.kind} record ${type}`]),
  ];
  return claims.flatMap(([what = '', key = '']) => {
    const before = taken.get(key);
    taken.set(key, before ?? owner);
    return before === undefined ? [] : [`${what} is already taken by ${before}`];
  });
}

function placeFaults(part: Part): string[] {
  const pages = [...part.pages, ...part.lists];
  return [
    ...pages.flatMap(({ path, nav }) => (nav ? navFaults(part, path, nav) : [])),
    ...part.records
      .filter(({ icon }) => !icons.has(icon))
      .map(({ type, icon }) => `record ${type}: unknown icon ${icon}`),
    ...part.panels
      .filter(({ slot }) => !slots.has(slot))
      .map(({ title, slot }) => `panel ${title}: unknown slot ${slot}`),
    ...part.sheets
      .filter(({ slot }) => slot !== undefined && !slots.has(slot))
      .map(({ path, slot }) => `page ${path}: unknown slot ${slot}`),
    ...placesOf(part)
      .filter(({ path }) => /^\/api(?:\/|$)/.test(path))
      .map(({ path }) => `page ${path}: /api is reserved for the interfaces`),
  ];
}

function navFaults({ kind }: Part, path: string, { icon, section }: NavPlace): string[] {
  const wrong = kind === 'console' ? !knownSections.has(section) : section !== undefined;
  return [
    ...(icons.has(icon) ? [] : [`page ${path}: unknown icon ${icon}`]),
    ...(wrong
      ? [`page ${path}: ${kind === 'console' ? `unknown section ${section}` : 'the portal has no sections'}`]
      : []),
  ];
}

/** A third-party plugin's pages must be under its own id to prevent clashes. */
function outside(part: Part, id: string): string[] {
  return placesOf(part)
    .filter(({ path }) => path !== `/${id}` && !path.startsWith(`/${id}/`))
    .map(({ path }) => `page ${path} must start with /${id}`);
}

function undeclaredRules(part: Part, permissions: ReadonlySet<string>): string[] {
  const acts = [
    ...part.lists.flatMap(({ create, acts: more = [] }) => [create, ...more]),
    ...part.sheets.flatMap(({ change, remove, acts: more = [] }) => [change, remove, ...more]),
    ...part.sheets.flatMap(({ related = [] }) => related.map(({ create }) => create)),
  ].flatMap((each) => (each ? [{ ...each, title: each.title ?? each.operation }] : []));
  const all: { readonly title: string; readonly access: Access<unknown> }[] = [
    ...piecesOf(part),
    ...placesOf(part),
    ...part.records,
    ...acts,
  ];
  const faults = all.flatMap(({ title, access }) => {
    if (typeof access?.allows !== 'function') return [`${title} has no access rule`];
    if (!('name' in access) || !('surface' in access)) return [];
    const { name, surface } = access;
    return permissions.has(`${String(surface)} ${String(name)}`)
      ? []
      : [`${title} requires ${String(name)}, which no plugin declares`];
  });
  return [...new Set(faults)];
}
