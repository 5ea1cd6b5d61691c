import { setImmediate as turn } from 'node:timers/promises';

/** Gives the event loop a turn, so that waiting requests are served. Call it regularly in long work. */
export async function yieldToOthers(): Promise<void> {
  await turn();
}
