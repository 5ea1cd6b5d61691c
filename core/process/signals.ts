// Graceful shutdown of a process.
import { messageOf } from '@keelson/kit/message-of.ts';

/**
 * Ends the process on SIGTERM or SIGINT: runs `close`, then exits with code 0, or 1 if `close` failed. A second signal
 * exits at once, unless it arrives within half a second: `npm start` forwards a Ctrl-C the process has already
 * received.
 */
export function onSignals(close: () => Promise<void>): void {
  let first: number | undefined;
  const stop = async (): Promise<void> => {
    if (first !== undefined) {
      if (performance.now() - first > 500) process.exit(1);
      return;
    }
    first = performance.now();
    try {
      await close();
      process.exit(0);
    } catch (error) {
      process.stderr.write(`Stopping failed: ${messageOf(error)}\n`);
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
}
