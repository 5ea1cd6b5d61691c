import { setImmediate as turn } from 'node:timers/promises';

/** Lets requests that wait have their turn. */
export async function yieldToOthers(): Promise<void> {
  await turn();
}
