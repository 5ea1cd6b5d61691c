// Loads the record, validates query and body, calls the handler and renders its result.
import type { Zone } from '@keelson/kit/moment.ts';
import { parse } from '@keelson/kit/validate.ts';
import type { App } from '../../plugin/app.ts';
import type { Context } from '../../plugin/context.ts';
import { callRoute } from '../../plugin/inside.ts';
import type { StoredAnswer } from '../../plugin/route/returns.ts';
import type { Input } from '../../plugin/route/route.ts';
import { render } from '../answer/answer.ts';
import { download } from '../answer/download.ts';
import { callerName, httpOf } from '../caller.ts';
import type { Rendered, Routed } from '../request-state.ts';
import { inSearchTurn } from '../search-turn.ts';

export function handle(app: App) {
  return async (http: Routed, ctx: Context): Promise<Rendered> => {
    const { route, compiled, caller, params, ip } = http.state;
    await app.refreshZone(ctx);
    const item = await route.load?.(ctx, params);
    const query = compiled.readQuery(http.querystring, http.state.query, app.zone);
    const input = inputOf(http, { item, query, zone: app.zone });
    const work = async (): Promise<unknown> => callRoute(app, route, () => route.handle(ctx, input));
    const value = compiled.isSearch(query)
      ? await inSearchTurn(app, callerName(route.surface, caller.actor, ip), work)
      : await work();
    if (route.returns.kind !== 'stored') return render(compiled, http.method, value, input);
    return download(value as StoredAnswer, http.method, input.http, route.surface);
  };
}

interface Read {
  readonly item: unknown;
  readonly query: unknown;
  readonly zone: Zone;
}

/** @throws the problem of an unreadable body, which counts only after the record is found */
function inputOf(http: Routed, { item, query, zone }: Read): Input<unknown, unknown, unknown, unknown> {
  const { route, params, body } = http.state;
  if (body.problem) throw body.problem;
  const { uploads, files } = body;
  const uploaded = route.upload !== false && uploads.length > 0;
  const value = route.body && !uploaded ? parse(route.body, body.value, 'Request body', zone) : body.value;
  return { params, query, body: value, item, uploads, files, http: httpOf(http) };
}
