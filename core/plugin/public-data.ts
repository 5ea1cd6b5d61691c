// The form in which the data of an event leaves: exactly what its declaration lists, timestamps as in answers (V-04).
import type { App } from './app.ts';
import { perApp } from './per-app.ts';
import { compileSerialiser } from './serialise.ts';

const writers = perApp((app) => {
  const events = app.plugins.flatMap((plugin) => plugin.events ?? []).filter(({ webhook }) => webhook !== undefined);
  return new Map(events.map((each) => [each.name, compileSerialiser(each.shape)]));
});

/** @throws Error for an event that no plugin declares for webhooks (any more) */
export function publicData(app: App, event: string, data: unknown): unknown {
  const write = writers(app).get(event);
  if (!write) throw new Error(`${event} is not declared for webhooks`);
  return write(data);
}
