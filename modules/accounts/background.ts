import { perApp, type App } from '@keelson/core';

const running = perApp(() => new Set<Promise<void>>());

/** Runs work that no request waits for, such as storing a key's last use. Logs failures. */
export function inBackground(app: App, work: () => Promise<unknown>): void {
  const all = running(app);
  const task: Promise<void> = work().then(
    () => void all.delete(task),
    (error: unknown) => {
      all.delete(task);
      app.log.warn({ err: error }, 'accounts: background work of a request failed');
    },
  );
  all.add(task);
}

/** Waits for all background work to finish. */
export async function backgroundDone(app: App): Promise<void> {
  await Promise.all(running(app));
}
