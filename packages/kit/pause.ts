// An abortable pause between two attempts of long-running work.
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, or until `signal` is aborted; resolves in both cases. Does not keep the process alive. */
export async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  await sleep(seconds * 1000, undefined, { signal, ref: false }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
