// Opens the application in a process that a test starts, on the test's clock.
import { join } from 'node:path';
import { loadConfig } from '../../config/config.ts';
import type { App } from '../../core/plugin/app.ts';
import { loadInstallation } from '../../core/plugin/load/load.ts';
import { createApp } from '../../core/process/create-app.ts';
import { systemClock, type Clock } from '../../packages/kit/time.ts';
import { createLogger } from '../../packages/log/log.ts';
import { openCounters } from '../../packages/security/limiter.ts';
import { loadMasterKey, openVault } from '../../packages/security/vault.ts';

/** Opens the application of the environment, without starting its jobs. */
export async function openOnClock(now: Clock['now']): Promise<App> {
  const config = loadConfig();
  const log = createLogger({ level: config.logLevel });
  return createApp({
    config,
    installation: await loadInstallation(config.pluginsDir),
    clock: { ...systemClock, now },
    log,
    vault: openVault(loadMasterKey(join(config.dataDir, 'master.key'), { create: false })),
    ...(await openCounters(config, log)),
  });
}
