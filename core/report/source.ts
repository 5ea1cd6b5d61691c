// Sources of reports: a module declares which of its records can be reported on. A report never shows more than
// the declared view.
import { forbidden } from '../kit/problem.ts';
import { indexedSorts } from '../list/walk-plan.ts';
import type { App } from '../plugin/app.ts';
import type { Context } from '../plugin/context.ts';
import { perApp } from '../plugin/per-app.ts';
import type { Plugin } from '../plugin/plugin.ts';
import type { DeclaredSource } from '../plugin/report-source.ts';
import type { Access } from '../plugin/surface.ts';
import type { OutOf, View } from '../record/view.ts';
import { fieldOf, type FieldOptions, type ReportField } from './field.ts';

export interface SourceOptions<V extends View> {
  /** The display name: `Tickets`. */
  readonly title: string;
  /** Who may report on it: the access rule of the records' list. */
  readonly access: Access<any>;
  /** What is reported. Its `visible` limits the rows; its members are all that can be shown. */
  readonly view: V;
  /** The offered members, in order, each with its heading. */
  readonly fields: { readonly [K in keyof OutOf<V> & string]?: string | FieldOptions };
}

/** The result of `reportSource(…)`. */
export interface ReportSource extends DeclaredSource {
  readonly access: Access<any>;
  readonly view: View;
  readonly fields: ReadonlyMap<string, ReportField>;
}

/**
 * Declares a source of reports on a surface, for a plugin's `reports`; call it once, at module level.
 * @param name the value of `source` in requests: `tickets`; a third party's starts with its id and `_`
 * @throws Error for a field without a member in the view
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

// The cast is safe: only reportSource() makes what plugins declare, and check.ts has checked it.
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

/** Returns the names of a surface's sources, as requests use them. */
export function sourceNames(app: App, surface: ReportSource['surface']): string[] {
  return [...sources(app).values()].filter(({ source }) => source.surface === surface).map(({ source }) => source.name);
}

/** Returns the source with this name; undefined if no plugin declares it. */
export function findSource(app: App, surface: ReportSource['surface'], name: string): ReportSource | undefined {
  return sources(app).get(`${surface} ${name}`)?.source;
}

/**
 * Rejects a caller who may not see the source: checks its list's access rule and, on the helpdesk surface, the module's
 * switch (Z-23).
 * @param company the caller's company, on a surface that has one
 * @throws forbidden()
 */
export async function requireSource(ctx: Context, source: ReportSource, company: number | undefined): Promise<void> {
  const owner = sources(ctx.app).get(`${source.surface} ${source.name}`)?.owner;
  if (company !== undefined && owner?.perCompany && !(await ctx.app.switches.enabled(ctx, company, owner.id)))
    throw forbidden(`${owner.title} module is disabled`);
  if (!source.access.allows(ctx.actor)) throw forbidden(source.access.refusal);
}

/** Returns the fields that the caller may see. */
export function fieldsFor({ actor }: Context, { fields }: ReportSource): readonly ReportField[] {
  return [...fields.values()].filter(({ access }) => access?.allows(actor) ?? true);
}
