// A process that only delivers, on a clock that runs `speed` times as fast since `start`, plus `ahead` ms: leases
// expire in seconds. An optional per-minute job follows that clock too, which node-cron cannot.
import { join } from 'node:path';
import { loadConfig } from '../../config/config.ts';
import { createApp } from '../../core/process/app.ts';
import { openCounters } from '../../core/security/limiter.ts';
import { loadInstallation } from '../../core/plugin/load.ts';
import { createLogger } from '../../core/log/log.ts';
import { onSignals } from '../../core/process/signals.ts';
import { loadMasterKey, openVault } from '../../core/security/vault.ts';

const [start = 0, speed = 1, ahead = 0] = process.argv.slice(2, 5).map(Number);
const [minutely] = process.argv.slice(5);
const TURN_MS = 500;
const config = loadConfig();
const log = createLogger({ level: config.logLevel });
const app = await createApp({
  config,
  installation: await loadInstallation(config.pluginsDir),
  clock: { now: () => new Date(start + (Date.now() - start) * speed + ahead).toISOString() },
  log,
  vault: openVault(loadMasterKey(join(config.dataDir, 'master.key'), { create: false })),
  ...(await openCounters(config, log)),
});
const stay = setInterval(() => {
  if (minutely === undefined) return;
  const dueAt = `${app.clock.now().slice(0, 16)}:00.000Z`;
  app.scheduler.runDue(minutely, dueAt).catch((err: unknown) => log.error({ err }, 'the job could not be started'));
}, TURN_MS);
onSignals(() => {
  clearInterval(stay);
  return app.close();
});
await app.start('jobs');
process.stdout.write('started\n');
