// Sources of reports: a module declares what of its records can be reported. A report never shows more than the
// view that is declared here.
import type { App } from '../plugin/app.ts';
import type { Context } from '../plugin/context.ts';
import { perApp } from '../plugin/per-app.ts';
import type { Plugin } from '../plugin/plugin.ts';
import type { DeclaredSource } from '../plugin/report-source.ts';
import type { Access } from '../plugin/surface.ts';
import { indexedSorts } from '../list/walk-plan.ts';
import { forbidden } from '../kit/problem.ts';
import type { OutOf, View } from '../record/view.ts';
import { fieldOf, type FieldOptions, type ReportField } from './field.ts';

export interface SourceOptions<V extends View> {
  /** What it is called: `Tickets`. */
  readonly title: string;
  /** Who may report on it: the rule of the list of these records. */
  readonly access: Access<any>;
  /** What is reported. Its `visible` decides which rows, and its members are all that can be shown. */
  readonly view: V;
  /** The members that are offered, in this order, each with its heading. */
  readonly fields: { readonly [K in keyof OutOf<V> & string]?: string | FieldOptions };
}

/** What `reportSource(…)` declares. */
export interface ReportSource extends DeclaredSource {
  readonly access: Access<any>;
  readonly view: View;
  readonly fields: ReadonlyMap<string, ReportField>;
}

/**
 * Declares what reports on a surface can be made of, for a plugin's `reports`; once, at module level.
 * @param name what callers write as `source`: `tickets`; a third party's starts with its id and `_`
 * @throws Error for a field that the view has no member for
 */
export function reportSource<V extends View>(
  surface: 'admin' | 'helpdesk',
  name: string,
  { title, access, view, fields }: SourceOptions<V>,
): ReportSource {
  const sorts = indexedSorts(view.list);
  const all = Object.entries<string | FieldOptions | undefined>(fields).flatMap(([key, given]) =>
    given === undefined ? [] : [[key, fieldOf(view, key, given, sorts)] as const],
  );
  return Object.freeze({ surface, name, title, access, view, fields: new Map(all) });
}

interface Owned {
  readonly source: ReportSource;
  readonly owner: Plugin;
}

// The cast: only reportSource() makes what plugins declare, and check.ts has looked at it.
const sources = perApp(
  (app) =>
    new Map(
      app.plugins.flatMap((owner) =>
        (owner.reports ?? []).map((each): [string, Owned] => [
          `${each.surface} ${each.name}`,
          { source: each as ReportSource, owner },
        ]),
      ),
    ),
);

/** The names of a surface's sources, as they can be asked for. */
export function sourceNames(app: App, surface: ReportSource['surface']): string[] {
  return [...sources(app).values()].filter(({ source }) => source.surface === surface).map(({ source }) => source.name);
}

/** The source of this name; undefined when nobody declares it. */
export function findSource(app: App, surface: ReportSource['surface'], name: string): ReportSource | undefined {
  return sources(app).get(`${surface} ${name}`)?.source;
}

/**
 * Refuses a caller who may not see the source: the rule of its list, and on the helpdesk surface the module's switch (Z-23).
 * @param company the caller's company, on a surface that has one
 * @throws forbidden()
 */
export async function requireSource(ctx: Context, source: ReportSource, company: number | undefined): Promise<void> {
  const owner = sources(ctx.app).get(`${source.surface} ${source.name}`)?.owner;
  if (company !== undefined && owner?.perCompany && !(await ctx.app.switches.enabled(ctx, company, owner.id)))
    throw forbidden(`${owner.title} module is disabled`);
  if (!source.access.allows(ctx.actor)) throw forbidden(source.access.refusal);
}

/** The fields that the caller may see. */
export function fieldsFor({ actor }: Context, { fields }: ReportSource): readonly ReportField[] {
  return [...fields.values()].filter(({ access }) => access?.allows(actor) ?? true);
}
