// Rechecks callers every few seconds: a stream ends with its credential, and follows its caller's current permissions.
import type { App } from '../plugin/app.ts';
import { contextOf } from '../plugin/context.ts';
import type { Surface } from '../plugin/surface.ts';
import type { Listener, OpenStream } from './listener.ts';

/** Interval between checks of a caller. With many streams it grows, because each look checks a limited number. */
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

/** Checks the callers that are due. */
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
