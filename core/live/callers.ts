// Who listens, looked up again every few seconds: a stream ends with its credential, and hears what its caller may now.
import type { App } from '../plugin/app.ts';
import { contextOf } from '../plugin/context.ts';
import type { Surface } from '../plugin/surface.ts';
import type { Listener, OpenStream } from './listener.ts';

/** How long until a caller is looked up again; with many streams as long as it takes at this many a second. */
export const CHECK_MS = 5000;
const CHECKS_PER_LOOK = 150;

export function listenerFor(app: App, surface: Surface<any>, actor: unknown): Omit<Listener, 'sink'> {
  return {
    surface,
    person: `${surface.id}:${surface.principal(actor)}`,
    ctx: contextOf({ app, actor, author: surface.author(actor) }),
    allowed: new Map(),
    company: surface.company(actor),
  };
}

/** Looks up the callers that are due. */
export async function checkCallers(app: App, streams: ReadonlySet<OpenStream>): Promise<void> {
  const now = performance.now();
  const due = [...streams].filter((each) => now >= each.checkAt).slice(0, CHECKS_PER_LOOK);
  await Promise.all(due.map((each) => checkCaller(app, each)));
}

async function checkCaller(app: App, stream: OpenStream): Promise<void> {
  stream.checkAt = performance.now() + CHECK_MS;
  const { surface, sink } = stream.listener;
  const actor = await sink.caller();
  const same = actor !== undefined && stream.listener.person === `${surface.id}:${surface.principal(actor)}`;
  if (!same) return sink.end();
  stream.listener = { ...listenerFor(app, surface, actor), sink };
}
