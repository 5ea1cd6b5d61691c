// Who may be sent an event: whoever may read the records that it is about.
import { forbidden } from '../kit/problem.ts';
import type { Context } from './context.ts';
import type { Plugin } from './plugin.ts';
import type { Surface } from './surface.ts';

/**
 * Checks that the caller may read what the events tell. A webhook or a workflow sends it to wherever its maker wants.
 * @throws forbidden() naming the first event whose records the caller may not read
 */
export function requireReadableEvents(
  ctx: Pick<Context, 'app'> & { readonly actor: unknown },
  surface: Surface<any>['id'],
  events: readonly string[],
): void {
  const refused = events.find((name) => !mayRead(ctx.app.plugins, surface, ctx.actor, name));
  if (refused !== undefined) throw forbidden(`You may not read what the event ${refused} is about`);
}

function mayRead(plugins: readonly Plugin[], surface: Surface<any>['id'], actor: unknown, name: string): boolean {
  const noun = name.slice(0, name.indexOf('.'));
  const record = plugins.flatMap(({ live = [] }) => live).find((each) => each.of.name === noun);
  if (surface === 'admin' && record?.admin) return record.admin.allows(actor);
  // An event that no plugin declares is never sent; that it is not offered is said elsewhere.
  const owner = plugins.find(({ events = [] }) => events.some((each) => each.name === name));
  const reads = (owner?.permissions ?? []).filter((each) => each.surface === surface && each.name.endsWith(':read'));
  const plural = `${noun.replace(/y$/, 'ie')}s:read`;
  const own = reads.filter((each) => each.name === plural);
  return (own.length > 0 ? own : reads).every((each) => each.allows(actor));
}
