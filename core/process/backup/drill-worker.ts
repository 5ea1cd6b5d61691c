// The worker thread of a backup drill (drill.ts).
import { workerData } from 'node:worker_threads';
import '../../plugin/load/resolve-imports.ts';
import { createLogger } from '@keelson/log/log.ts';
import { loadInstallation } from '../../plugin/load/load.ts';
import type { Drill } from './drill.ts';
import { verifyBackup } from './restore-backup.ts';

// Started only by drill.ts.
const { config, path } = workerData as Drill;
const { loaded } = await loadInstallation(config.pluginsDir);
const plugins = loaded.map(({ plugin }) => plugin);
await verifyBackup({ config, plugins, log: createLogger({ level: config.logLevel }) }, path);
