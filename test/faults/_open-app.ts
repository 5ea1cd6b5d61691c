// Opens the application in a process that a test starts, on the test's clock.
import { join } from 'node:path';
import { loadConfig } from '../../config/config.ts';
import { systemClock, type Clock } from '../../core/kit/time.ts';
import { createLogger } from '../../core/log/log.ts';
import type { App } from '../../core/plugin/app.ts';
import { loadInstallation } from '../../core/plugin/load.ts';
import { createApp } from '../../core/process/app.ts';
import { openCounters } from '../../core/security/limiter.ts';
import { loadMasterKey, openVault } from '../../core/security/vault.ts';

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
