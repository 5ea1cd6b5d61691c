// Access to events: a caller who may read an event's records may receive the event.
import { forbidden } from '@keelson/kit/problem.ts';
import type { Context } from '../context.ts';
import type { Plugin } from '../plugin.ts';
import type { Surface } from './surface.ts';

/**
 * Checks that the caller may read the events' data, because a webhook or workflow can send it anywhere.
 * @throws forbidden() naming the first event whose records the caller may not read
 */
export function requireReadableEvents(
  ctx: Pick<Context, 'app'> & { readonly actor: unknown },
  surface: Surface<any>['id'],
  events: readonly string[],
): void {
  const refused = events.find((name) => !mayRead(ctx.app.plugins, surface, ctx.actor, name));
  if (refused !== undefined) throw forbidden(`You do not have permission to read the records of the event ${refused}`);
}

function mayRead(plugins: readonly Plugin[], surface: Surface<any>['id'], actor: unknown, name: string): boolean {
  const noun = name.slice(0, name.indexOf('.'));
  const record = plugins.flatMap(({ live = [] }) => live).find((each) => each.of.name === noun);
  if (surface === 'admin' && record?.admin) return record.admin.allows(actor);
  // An event no plugin declares is never sent. Another check rejects it.
  const owner = plugins.find(({ events = [] }) => events.some((each) => each.name === name));
  const reads = (owner?.permissions ?? []).filter((each) => each.surface === surface && each.name.endsWith(':read'));
  const plural = `${noun.replace(/y$/, 'ie')}s:read`;
  const own = reads.filter((each) => each.name === plural);
  return (own.length > 0 ? own : reads).every((each) => each.allows(actor));
}
