// Runs the plugins' middleware, in plugin order.
import type { Next } from 'koa';
import type { App } from '../../plugin/app.ts';
import type { MiddlewarePlace, PluginMiddleware } from '../../plugin/declaration/middleware.ts';
import type { Plugin } from '../../plugin/plugin.ts';
import type { Routed } from '../request-state.ts';

type Step = (http: Routed, next: Next) => Promise<void>;

export function plugged(app: App, at: MiddlewarePlace): Step[] {
  return app.plugins.flatMap((plugin) =>
    (plugin.middleware ?? []).filter((each) => each.at === at).map((each) => switched(app, plugin, each)),
  );
}

/** Skips the middleware for companies that have the plugin switched off. Before identification, nothing is skipped. */
function switched(app: App, { id, perCompany }: Plugin, { use }: PluginMiddleware): Step {
  const run = use(app) as unknown as Step;
  if (!perCompany) return run;
  return async (http, next) => {
    const { actor } = http.state.caller;
    const company = actor === undefined ? undefined : http.state.face.surface.company(actor);
    const off = company !== undefined && !(await app.switches.enabled(app.system(), company, id));
    return off ? next() : run(http, next);
  };
}
