// The public form of an event's data: exactly the members of its shape, with timestamps as in answers (V-04).
import type { App } from './app.ts';
import { perApp } from './per-app.ts';
import { compileSerialiser } from './serialise.ts';

const writers = perApp((app) => {
  const events = app.plugins.flatMap((plugin) => plugin.events ?? []).filter(({ webhook }) => webhook !== undefined);
  return new Map(events.map((each) => [each.name, compileSerialiser(each.shape)]));
});

/** The data of an event as webhooks get it. @throws Error when no plugin declares such an event for webhooks */
export function publicData(app: App, event: string, data: unknown): unknown {
  const write = writers(app).get(event);
  if (!write) throw new Error(`${event} is not declared for webhooks`);
  return write(data);
}
