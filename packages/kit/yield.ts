// Lets long-running work yield to the event loop.
import { setImmediate as turn } from 'node:timers/promises';

/** Yields to the event loop so that pending requests are served. Call it regularly in long-running work. */
export async function yieldToOthers(): Promise<void> {
  await turn();
}
