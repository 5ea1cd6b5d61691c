import { createHealth, databaseCheck, diskCheck, type Health } from '../log/health.ts';
import type { App } from '../plugin/app.ts';

/** Creates the health checks behind /ready. */
export function healthOf({ config, database, log, state }: Pick<App, 'config' | 'database' | 'log' | 'state'>): Health {
  return createHealth({
    checks: [databaseCheck(database), diskCheck(config.dataDir)],
    started: () => state.started,
    draining: () => state.started && !state.ready,
    log,
  });
}
