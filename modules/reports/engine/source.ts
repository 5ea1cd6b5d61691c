// The sources that plugins declare, and who may use them.
import { forbidden, perApp, type App, type Context } from '@keelson/core';
import type { Plugin } from '@keelson/core/plugin';
import type { ReportSource } from '@keelson/core/record';
import type { ReportField } from '@keelson/core/system';

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
