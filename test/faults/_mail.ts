// A process that reads the mailbox and processes what it finds. It kills itself at the given step; steps are counted
// before and after each commit, and after each stored file. Otherwise it prints the step at which it finished.
import { join } from 'node:path';
import { loadConfig } from '../../config/config.ts';
import { loadInstallation } from '../../core/plugin/load/load.ts';
import { createApp } from '../../core/process/create-app.ts';
import { receiveAll } from '../../modules/mailbox/servers/receive.ts';
import { plus, systemClock } from '../../packages/kit/time.ts';
import { createLogger } from '../../packages/log/log.ts';
import { openCounters } from '../../packages/security/limiter.ts';
import { loadMasterKey, openVault } from '../../packages/security/vault.ts';

// Each process is a few minutes ahead of the previous one, so that the previous one's leases have expired.
const [fatal = 0, minutes = 0] = process.argv.slice(2, 4).map(Number);
const config = loadConfig();
const log = createLogger({ level: config.logLevel });
const app = await createApp({
  config,
  installation: await loadInstallation(config.pluginsDir),
  clock: { ...systemClock, now: () => plus(new Date().toISOString(), { minutes }) },
  log,
  vault: openVault(loadMasterKey(join(config.dataDir, 'master.key'), { create: false })),
  ...(await openCounters(config, log)),
});

let steps = 0;
function step(): void {
  if (++steps === fatal) process.kill(process.pid, 'SIGKILL');
}

const { database, storage } = app;
const { transaction } = database;
const keepFile = storage.keep.bind(storage);
Object.assign(database, {
  transaction: (async (work, how) => {
    const result = await transaction(async (tx) => {
      const worked = await work(tx);
      step();
      return worked;
    }, how);
    step();
    return result;
  }) as typeof transaction,
});
Object.assign(storage, {
  keep: (async (file) => {
    const key = await keepFile(file);
    step();
    return key;
  }) as typeof keepFile,
});

await receiveAll(app.system());
await app.outbox.drain();
await app.close();
process.stdout.write(`done after ${steps} steps\n`);
