// Selects the declared pages a person may see: allowed by their rule and built successfully.
import { z } from 'zod';
import type { App } from '../plugin/app.ts';
import type { BuiltPages } from '../plugin/page/built-pages.ts';
import { canOpen, operationsOf } from '../plugin/page/page-operations.ts';
import { sections, type NavPlace, type Part } from '../plugin/page/part.ts';
import type { Access, Permission } from '../plugin/route/surface.ts';
import { livePathsOf } from './live-paths.ts';
import { fileOfList, fileOfSheet } from './made-pages.ts';

const Nav = z.object({
  section: z.enum(sections).optional(),
  icon: z.string(),
  order: z.int(),
  key: z.string().optional(),
  count: z.object({ operation: z.string(), member: z.string(), type: z.string() }).optional(),
});
const piece = { plugin: z.string(), title: z.string(), module: z.string(), style: z.string().optional() };

/** The shape of the result of `shownPages`. */
export const ShownPages = z.object({
  pages: z.array(
    z.object({
      ...piece,
      path: z.string(),
      nav: Nav.optional(),
      company_tab: z.object({ order: z.int(), list: z.string() }).optional(),
    }),
  ),
  panels: z.array(
    z.object({
      ...piece,
      slot: z.string(),
      order: z.int(),
      total: z.object({ list: z.string(), where: z.record(z.string(), z.string()).optional() }).optional(),
    }),
  ),
  columns: z.array(
    z.object({ ...piece, list: z.string(), values: z.string(), optional: z.boolean(), sort: z.string().optional() }),
  ),
  commands: z.array(z.object({ ...piece, id: z.string(), on: z.string(), key: z.string().optional() })),
  records: z.array(
    z.object({
      type: z.string(),
      title: z.string(),
      path: z.string(),
      icon: z.string(),
      read: z.string(),
      find: z.string().optional(),
      name: z.string(),
      id: z.string(),
      search: z.string().optional(),
    }),
  ),
  live: z.record(z.string(), z.array(z.string()).readonly()),
});
export type ShownPages = z.infer<typeof ShownPages>;

const USUAL_ORDER = 50;

/**
 * Returns the pages, panels and other parts `actor` may see. `off` lists the plugins switched off for their company.
 */
export async function shownPages(
  app: App,
  kind: Part['kind'],
  actor: unknown,
  off: ReadonlySet<string> = new Set(),
): Promise<ShownPages> {
  const built = await app.site.built();
  const shown: ShownPages = {
    pages: [],
    panels: [],
    columns: [],
    commands: [],
    records: [],
    live: livePathsOf(app.plugins, kind),
  };
  const opens = canOpen(app.plugins, kind, actor);
  for (const { id, [kind]: part } of app.plugins) {
    if (!part || off.has(id)) continue;
    const allowed = ({ access }: { access: Access<unknown> }) => access.allows(actor);
    const pieces = piecesOf(built, id, part);
    const visible = (each: { access: Access<unknown>; file: string }) => allowed(each) && pieces.built(each.file);
    // A page whose only operation would be refused is hidden.
    const operations = operationsOf(app.plugins, kind);
    const answered = (line: string | undefined) =>
      line === undefined || operations.get(line)?.access.allows(actor) !== false;
    for (const each of pagesOf(part).filter((one) => visible(one) && answered(one.asks)))
      shown.pages.push({
        ...pieces.of(each),
        path: each.path,
        ...(each.nav && { nav: { ...each.nav } }),
        ...(each.tab && { company_tab: each.tab }),
      });
    for (const each of part.panels.filter(visible))
      shown.panels.push({
        ...pieces.of(each),
        slot: each.slot,
        order: each.order ?? USUAL_ORDER,
        ...(each.total && { total: { ...each.total } }),
      });
    for (const each of part.columns.filter(visible))
      shown.columns.push({
        ...pieces.of(each),
        list: each.list,
        values: each.values,
        optional: each.optional ?? false,
        ...(each.sort && { sort: each.sort }),
      });
    for (const each of part.commands.filter(visible)) {
      const { id: command, on, key } = each;
      shown.commands.push({ ...pieces.of(each), id: command, on, ...(key && { key }) });
    }
    for (const { access: _, ...each } of part.records.filter(opens)) shown.records.push(each);
  }
  return shown;
}

interface AnyPage {
  readonly path: string;
  readonly title: string;
  readonly file: string;
  readonly access: Access<unknown>;
  readonly nav?: NavPlace;
  /** The operation without which the page has nothing to show. */
  readonly asks?: string;
  /** The tab's position on the company page, and the operation whose total it shows. */
  readonly tab?: { readonly order: number; readonly list: string };
}

/** Custom and generated pages, which browsers load alike. */
function pagesOf({ pages, lists, sheets }: Part): AnyPage[] {
  return [
    ...pages,
    ...lists.map(({ companyTab: order, ...each }) => ({
      ...each,
      file: fileOfList(each),
      asks: each.list,
      ...(order !== undefined && { tab: { order, list: each.list } }),
    })),
    ...sheets.map((each) => ({ ...each, file: fileOfSheet(each), asks: each.read })),
  ];
}

function piecesOf({ hash, problems, has }: BuiltPages, plugin: string, { kind }: Part) {
  const style = `${plugin}/${kind}.css`;
  const styled = has(style) ? { style: `/web/${hash}/${style}` } : {};
  const broken = new Set(
    problems.filter((each) => each.plugin === plugin && each.kind === kind).map(({ file }) => file),
  );
  return {
    built: (file: string) => !broken.has(file),
    of: ({ title, file }: { readonly title: string; readonly file: string }) => ({
      plugin,
      title,
      module: `/web/${hash}/${plugin}/${kind}/${file}.js`,
      ...styled,
    }),
  };
}

/**
 * Returns the names of the rules of these surfaces that the person meets. Pages use them to hide what is not allowed;
 * the server enforces the rules regardless.
 */
export function metRules(
  app: App,
  kind: Part['kind'],
  actor: unknown,
  surfaces: readonly Permission['surface'][],
): string[] {
  const declared = app.plugins.flatMap(({ permissions = [] }) =>
    permissions.filter((each) => surfaces.includes(each.surface)),
  );
  const rules = [...declared, ...app.plugins.flatMap(({ [kind]: part }) => (part ? rulesOf(part) : []))];
  return [...new Set(rules.filter((each) => each.allows(actor)).map(({ title }) => title))];
}

function rulesOf({ lists, sheets }: Part): Access<unknown>[] {
  const acts = [
    ...lists.flatMap(({ create, acts: more = [] }) => [create, ...more]),
    ...sheets.flatMap(({ change, remove, acts: more = [] }) => [change, remove, ...more]),
    ...sheets.flatMap(({ related = [] }) => related.map(({ create }) => create)),
  ];
  return acts.flatMap((each) => (each ? [each.access] : []));
}
