// The public form of event data: exactly the members of its shape, with timestamps as in responses (V-04).
import { compileSerialiser } from '@keelson/kit/serialise.ts';
import type { App } from '../app.ts';
import { perApp } from '../per-app.ts';

const writers = perApp((app) => {
  const events = app.plugins.flatMap((plugin) => plugin.events ?? []).filter(({ webhook }) => webhook !== undefined);
  return new Map(events.map((each) => [each.name, compileSerialiser(each.shape)]));
});

/** Returns an event's data as sent to webhooks. @throws Error when no plugin declares the event for webhooks */
export function publicData(app: App, event: string, data: unknown): unknown {
  const write = writers(app).get(event);
  if (!write) throw new Error(`${event} is not declared for webhooks`);
  return write(data);
}
