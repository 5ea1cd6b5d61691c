import { perApp, type App } from '@keelson/core';

const running = perApp(() => new Set<Promise<void>>());

/** Does work beside the request, such as noting when something was last used; a failure is logged. */
export function inBackground(app: App, work: () => Promise<unknown>): void {
  const all = running(app);
  const doing: Promise<void> = work().then(
    () => void all.delete(doing),
    (error: unknown) => {
      all.delete(doing);
      app.log.warn({ err: error }, 'accounts: work beside a request failed');
    },
  );
  all.add(doing);
}

/** Waits for what is still being done. */
export async function backgroundDone(app: App): Promise<void> {
  await Promise.all(running(app));
}
