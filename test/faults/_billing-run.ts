// A process that creates the recurring invoices once, at a given time.
import { join } from 'node:path';
import { billSubscriptions } from '@keelson/modules/billing';
import { loadConfig } from '../../config/config.ts';
import { createApp } from '../../core/process/app.ts';
import { openCounters } from '../../core/security/limiter.ts';
import { loadInstallation } from '../../core/plugin/load.ts';
import { createLogger } from '../../core/log/log.ts';
import { loadMasterKey, openVault } from '../../core/security/vault.ts';

const [now = ''] = process.argv.slice(2);
const config = loadConfig();
const log = createLogger({ level: config.logLevel });
const app = await createApp({
  config,
  installation: await loadInstallation(config.pluginsDir),
  clock: { now: () => now },
  log,
  vault: openVault(loadMasterKey(join(config.dataDir, 'master.key'), { create: false })),
  ...(await openCounters(config, log)),
});
process.stdout.write('started\n');
await billSubscriptions(app.system());
await app.close();
